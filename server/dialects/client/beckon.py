"""Asks people through a Beckon hub. Needs Python 3.8 or newer and nothing else."""

import asyncio
import base64
import calendar
import concurrent.futures
import contextlib
import datetime
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

RETRIED = (429, 502, 503, 504)
# The hub sends a space every 15 seconds.
SILENCE_SECONDS = 90
WEBHOOK_SECONDS = 300
QUICK_SECONDS = 2  # A reply within this time tells what time it is at the hub.
# So often one reply is read that may have ended while it was read.
MOST_READS = 3
_CLOCK = {"ahead": 0}
QUERY = ("to", "deadline", "valid_for", "urgency", "privacy", "title", "agent", "language", "callback", "answer")


class AskError(Exception):
    """What the hub refused, or has in place of a reply: nobody answered, and the framework has no word for that."""

    def __init__(self, problem):
        super().__init__(problem.get("detail") or "The hub replied %s." % problem.get("status"))
        self.problem = problem
        self.status = problem.get("status")
        self.code = problem.get("code")
        self.outcome = problem.get("outcome")
        self.faults = problem.get("faults", [])


class Cancelled(Exception):
    """The caller's `cancel` was set; the question was taken back."""


def ask(asked, body=None, *, cancel=None, idempotency_key=None, **options):
    """Asks in plain words and returns people's: `ask("Ship it?")`. Raises AskError, with `outcome`, if nobody answered.

    With a dialect's name and a body it asks with a framework's own JSON, and waits for its own reply. It blocks: a
    coroutine asks with `AsyncClient`.

    `cancel` is a threading.Event, looked at every 15 seconds: set, or interrupted by an exception as Ctrl-C raises it,
    the question is taken back. `idempotency_key`: the same key is the same question; a run that goes on in another
    process passes the one stored with its state, and the question stays open for that process. Others: url, api_key,
    give_up (seconds), to, deadline, valid_for (seconds), urgency, privacy, title, agent, language, callback, answer.
    """
    return _ask(asked, body, cancel, idempotency_key, options, {})


def inquire(inquiry, **options):
    """Asks with the hub's own form and returns the resolution, whatever it is: only "answered" holds an answer."""
    return ask("inquiry", inquiry, **options)


def approve(name, args, *, description=None, caution=False, **options):
    """True where this very call was approved, False where it was rejected. Raises AskError if nobody decided."""
    return _approved(inquire(_call_to_approve(name, args, description, caution), **options))


def confirm(prompt, *, yes="Yes", no="No", **options):
    """True for yes, False for no. Raises AskError if nobody decided."""
    return choose(prompt, _yes_or_no(yes, no), **options) == "yes"


def choose(prompt, choices, **options):
    """The value of the chosen option; texts, or {"value", "label", "description"}. Raises AskError if nobody chose."""
    return _chosen(inquire(_choice(prompt, choices), **options), choices)


def _call_to_approve(name, args, description, caution):
    more = {**({"description": description} if description else {}), **({"caution": True} if caution else {})}
    return {"actions": [{"name": name, "args": args, "allowed": ["approve", "reject"], **more}]}


def _yes_or_no(yes, no):
    return [{"value": "yes", "label": yes}, {"value": "no", "label": no}]


def _choice(prompt, choices):
    listed = [{"value": one, "label": one} if isinstance(one, str) else one for one in choices]
    return {"questions": [{"id": "choice", "type": "choice", "prompt": prompt, "options": listed, "required": True}]}


def _approved(resolution):
    decisions = _answer(resolution).get("decisions") or [{}]
    return decisions[0].get("type") == "approve"


def _chosen(resolution, choices):
    chosen = (_answer(resolution).get("values") or {}).get("choice")
    if chosen in [one if isinstance(one, str) else one["value"] for one in choices]:
        return chosen
    raise _unanswered(resolution)


def _answer(resolution):
    if resolution["outcome"] != "answered":
        raise _unanswered(resolution)
    return resolution.get("answer") or {}


def _unanswered(resolution):
    known = {"outcome": resolution["outcome"], "detail": resolution["text"]}
    return AskError({"type": "urn:beckon:problem:ask.unanswered", "status": 409, "code": "ask.unanswered", **known})


def _ask(dialect, body, cancel, key, options, seen):
    if body is None:
        resolution = _ask("inquiry", {"prompt": dialect}, cancel, key, options, seen)
        _answer(resolution)
        return resolution["text"]
    # What waits for its answer has an asker to lose; a hook always waits, since it takes any other reply for a yes.
    if key and not dialect.endswith("-hook"):
        status, value = _post(_path(dialect, options, wait="0"), body, key, options, cancel)
        return reply(value["ask"], cancel=cancel, **options) if status == 202 else value
    try:
        return _post(_path(dialect, options), body, key or str(uuid.uuid4()), options, cancel, seen)[1]
    except BaseException as error:
        if seen.get("ask") and not key and not isinstance(error, AskError):
            try:
                withdraw(seen["ask"], **options)
            except Exception:  # What ended the wait is told, and the hub takes the question back by itself.
                pass
        raise


def start(dialect, body, *, idempotency_key=None, **options):
    """The same for a process that does not wait: store `ask` of the result and call `reply` with it later."""
    return _post(_path(dialect, options, wait="0"), body, idempotency_key or str(uuid.uuid4()), options)[1]


def reply(ask_id, *, cancel=None, **options):
    """The reply to an ask that was started, once people have decided."""
    while True:
        path = "/v1/asks/%s?wait=%d" % (urllib.parse.quote(ask_id, safe=""), 60 if cancel is None else 15)
        begun = time.monotonic()
        status, value = _call(path, None, {}, options, cancel, {})
        if status != 202:
            return value
        # What replies at once in place of waiting is not asked without a pause.
        if time.monotonic() - begun < QUICK_SECONDS:
            time.sleep(QUICK_SECONDS) if cancel is None else cancel.wait(QUICK_SECONDS)


def withdraw(ask_id, *, reason=None, **options):
    """Takes an ask back; one that is resolved already stays as it is."""
    path = "/v1/asks/%s/withdraw" % urllib.parse.quote(ask_id, safe="")
    try:
        _post(path, {} if reason is None else {"reason": reason}, None, {**options, "give_up": 10})
    except AskError as error:
        if error.code != "ask.already_resolved":
            raise


class AsyncClient:
    """The same for asyncio: nothing here blocks the event loop. `options` as of `ask`, for all of its calls."""

    def __init__(self, **options):
        self._options = options

    async def ask(self, asked, body=None, *, idempotency_key=None, **options):
        """Asks and waits as `ask` does. A cancelled task takes its question back, unless that has the caller's key."""
        cancel, seen, options = threading.Event(), {}, {**self._options, **options}
        waiting = _in_thread(_ask, asked, body, cancel, idempotency_key, options, seen)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            cancel.set()
            if not idempotency_key:
                # The end of the question ends the wait too; before its id is known, the thread takes it back by itself.
                taken = [_in_thread(withdraw, seen["ask"], **options)] if seen.get("ask") else []
                ending = asyncio.gather(waiting, *taken, return_exceptions=True)
                over = time.monotonic() + 10
                # asyncio.run cancels once more what is left when it ends.
                while not ending.done() and time.monotonic() < over:
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.wait([ending], timeout=over - time.monotonic())
            waiting.cancel()
            raise

    async def inquire(self, inquiry, **options):
        """As `inquire`."""
        return await self.ask("inquiry", inquiry, **options)

    async def approve(self, name, args, *, description=None, caution=False, **options):
        """As `approve`."""
        return _approved(await self.inquire(_call_to_approve(name, args, description, caution), **options))

    async def confirm(self, prompt, *, yes="Yes", no="No", **options):
        """As `confirm`."""
        return await self.choose(prompt, _yes_or_no(yes, no), **options) == "yes"

    async def choose(self, prompt, choices, **options):
        """As `choose`."""
        return _chosen(await self.inquire(_choice(prompt, choices), **options), choices)

    async def start(self, dialect, body, *, idempotency_key=None, **options):
        """As `start`."""
        options = {**self._options, **options}
        return await _in_thread(start, dialect, body, idempotency_key=idempotency_key, **options)

    async def reply(self, ask_id, **options):
        """As `reply`. A cancelled task leaves the question open."""
        cancel = threading.Event()
        try:
            return await _in_thread(reply, ask_id, cancel=cancel, **{**self._options, **options})
        finally:
            cancel.set()

    async def withdraw(self, ask_id, *, reason=None, **options):
        """As `withdraw`."""
        return await _in_thread(withdraw, ask_id, reason=reason, **{**self._options, **options})


def _in_thread(work, *given, **options):
    """Runs it in a thread of its own: those of the event loop are few, and the end of the loop waits for them."""
    done = concurrent.futures.Future()
    done.set_running_or_notify_cancel()

    def run():
        try:
            value = work(*given, **options)
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(value)

    threading.Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(done)


def verify_webhook(body, headers, secret):
    """The event of a webhook whose signature is the hub's and at most five minutes old; anything else raises ValueError.

    `body` is its bytes as they came, `headers` any mapping of them, `secret` the source's whsec_…, or its public
    whpk_…, which needs receipt.py beside this file. The same event may come twice, with the same webhook-id.
    """
    known = {name.lower(): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else bytes(body)
    event_id, at = known.get("webhook-id", ""), known.get("webhook-timestamp", "")
    signed = ("%s.%s." % (event_id, at)).encode() + content
    given = known.get("webhook-signature", "").encode().split(b" ")
    if secret.startswith("whpk_"):
        fits = _is_by_key(base64.b64decode(secret[5:]), signed, given)
    else:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
        right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        fits = any([hmac.compare_digest(one, right.encode()) for one in given])
    if not event_id or "." in event_id or not fits:
        raise ValueError("This webhook is not signed by the hub.")
    if not at.isascii() or not at.isdigit() or abs(time.time() - int(at)) > WEBHOOK_SECONDS:
        raise ValueError("This webhook is too old.")
    return json.loads(content)


def _is_by_key(key, signed, given):
    try:
        from .receipt import is_signed  # Of the wheel.
    except ImportError:
        from receipt import is_signed
    signatures = [re.fullmatch(rb"v1a,([A-Za-z0-9+/]{86}==)", one) for one in given]
    return any(is_signed(key, signed, base64.b64decode(one[1])) for one in signatures if one)


def progress_frame(inquiry):
    """An inquiry of this hub as a frame of a stream of chat completions, with the empty line after it.

    A platform writes it into its own stream, where its front end finds the question to draw. `inquiry` is as
    `GET /v1/inquiries/{id}` and the data of `/v1/inquiries/{id}/events` have it.
    """
    return _frame(inquiry, "INQUIRY", 0, inquiry["openedAt"])


def resolved_frame(inquiry):
    """The frame that says that it is resolved, here or elsewhere: the front end closes what it drew."""
    return _frame(inquiry, "INQUIRY_RESOLVED", 1, inquiry.get("resolution", {}).get("at", inquiry["openedAt"]))


def _frame(inquiry, kind, progress, at):
    method, context = "notifications/progress", inquiry.get("context", {})
    meta = {"question": inquiry.get("prompt", inquiry["title"]), "inquiryId": inquiry["id"], "type": kind}
    params = {"meta": meta, "progressToken": 1, "progress": progress, "total": None, "message": None, "method": method}
    notification = json.dumps({"method": method, "params": params, "jsonrpc": "2.0"})
    run = context.get("runId", inquiry["id"])
    chunk = {
        "id": "chatcmpl-" + run,
        "created": calendar.timegm(time.strptime(at[:19], "%Y-%m-%dT%H:%M:%S")),
        "object": "chat.completion.chunk",
        "choices": [
            {"index": 0, "delta": {"chatos_additional_data": {"mcp_progress_notification_data": notification}}}
        ],
        "agent_info": {"name": context.get("agent", inquiry["source"]["name"]), "run_id": run},
    }
    return "data: %s\n\n" % json.dumps(chunk)


def _post(path, body, key, options, cancel=None, seen=None):
    headers = {"content-type": "application/json", **({"idempotency-key": key} if key else {})}
    text = body if isinstance(body, str) else json.dumps(body, allow_nan=False)
    return _call(path, text.encode(), headers, options, cancel, {} if seen is None else seen)


def _call(path, data, headers, options, cancel, seen):
    """Calls until there is a reply. With a key the same call finds its question again: nobody is asked twice."""
    url = (options.get("url") or os.environ.get("BECKON_URL") or "http://localhost:4275").rstrip("/") + path
    key = options.get("api_key") or os.environ.get("BECKON_KEY", "")
    headers = {**headers, "authorization": "Bearer " + key}
    give_up = options.get("give_up", 300)
    failing, tries, reads = None, 0, 0
    while cancel is None or not cancel.is_set():
        pause = min(0.5 * 2**tries, 15)
        try:
            request, sent = urllib.request.Request(url, data=data, headers=headers), time.time()
            with _OPENER.open(request, timeout=SILENCE_SECONDS) as response:
                if "beckon-ask" in response.headers:  # Only a call that found its question gets on.
                    failing, tries = None, 0
                    seen["ask"] = response.headers["beckon-ask"]
                received, ahead = time.time(), _ahead(response.headers.get("date"))
                if ahead is not None and received - sent < QUICK_SECONDS:
                    _CLOCK["ahead"] = ahead
                value = _parsed(response.status, _read(response, cancel))
                if value is not None:
                    until = response.headers.get("beckon-valid-until") or _end_in(value[0])
                    _still_valid(until, time.time() + (ahead or 0))
                    # A process that slept, or a slow network, may have read it after its end: then it is read again.
                    reads, surely = reads + 1, time.time() + (ahead or 0) + (0 if ahead is None else received - sent)
                    if reads < MOST_READS and _has_ended(until, surely):
                        continue
                    _still_valid(until, surely)
                    return response.status, value[0]
                error = ConnectionError("The connection to the hub was lost.")
        except urllib.error.HTTPError as refused:
            error, text = _problem(refused.code, refused.read), refused.headers.get("retry-after") or ""
            pause = float(text) if text.isdigit() else pause
        except AskError as problem:
            error = problem
        except (OSError, http.client.HTTPException) as lost:
            error = lost
        if isinstance(error, AskError) and error.status not in RETRIED:
            raise error
        failing, tries = failing or time.monotonic(), tries + 1
        if time.monotonic() + pause - failing > give_up:
            raise error
        if cancel is None:
            time.sleep(pause)
        else:
            cancel.wait(pause)
    raise Cancelled()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        """Follows none: it would take the key along."""


_OPENER = urllib.request.build_opener(_NoRedirect)


def _read(response, cancel):
    parts = []
    while True:
        part = response.read1(65536)
        if cancel is not None and cancel.is_set():
            raise Cancelled()
        if not part:
            return b"".join(parts)
        parts.append(part)


def _parsed(status, text):
    """The value in a list, or None where the reply was cut off. Raises what is a problem, under 200 too."""
    try:
        value = json.loads(text) if text.strip() else None
    except ValueError:
        raise _problem(status, lambda: text) from None
    if isinstance(value, dict) and str(value.get("type", "")).startswith("urn:beckon:problem:"):
        raise AskError(value)
    return [value] if text.strip() else None


def _problem(status, read):
    try:
        return AskError({"status": status, **json.loads(read())})
    except (ValueError, TypeError, OSError, http.client.HTTPException):
        detail = "The hub replied %s and no JSON; is its address right?" % status
        return AskError({"status": status, "code": "reply.not_json", "detail": detail})


def _hub_time():
    """The time by the hub's clock, as its last reply told it that did not wait: this machine's may be wrong."""
    return time.time() + _CLOCK["ahead"]


def _ahead(date):
    """So many seconds the hub's clock is ahead of this one: it tells whole ones. None where a proxy took it away."""
    try:
        return email.utils.parsedate_to_datetime(date).timestamp() + 0.999 - time.time()
    except (TypeError, ValueError):
        return None


def _end_in(value):
    """Until when a resolution holds, in its own words."""
    until = value.get("validUntil") if isinstance(value, dict) else None
    return until if isinstance(until, str) else None


def _has_ended(until, now):
    return bool(until) and now >= datetime.datetime.strptime(until, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()


def _still_valid(until, now):
    """Refuses what was approved and had ended as it was read: a reply that comes once more may be of last week."""
    if _has_ended(until, now):
        detail = "The approval ended at %s: do not run it. Ask again if it is still needed." % until
        raise AskError({"type": "urn:beckon:problem:ask.ended", "status": 409, "code": "ask.ended", "detail": detail})


def _path(dialect, options, **more):
    query = {name: options[name] for name in QUERY if options.get(name) is not None}
    if "valid_for" in query:
        query["validFor"] = query.pop("valid_for")
    if not isinstance(query.get("to", ""), str):
        query["to"] = ",".join(query["to"])
    return "/v1/ask/%s?%s" % (urllib.parse.quote(dialect, safe=""), urllib.parse.urlencode({**query, **more}))
