"""Verifies receipts of a Beckon hub without the hub. Needs Python 3.8 or newer and nothing else."""

import base64
import hashlib
import json
import time

TYPE = "beckon-receipt+jwt"


def verify_receipt(receipt, *, keys, issuer, tool, args, audience=None, now=None):
    """The claims of a receipt by which exactly this call may run now; raises ValueError for any other.

    `keys` is the hub's key set, /.well-known/jwks.json, kept since; `args` the exact JSON text of the arguments, or their
    value. Receipts signed by EdDSA alone: ask for others with `alg` only where a verifier needs them. It does not know
    what ran already.
    """
    try:
        digest = digest_call(tool, args if isinstance(args, str) else json.dumps(args, allow_nan=False))
        claims = _signed_claims(receipt, keys["keys"])
        runs = [one.get("run") for one in claims["authorization_details"] if one["type"] == "beckon_call"]
        now = time.time() if now is None else now
        fits = digest in runs and claims["iss"] == issuer and claims.get("aud") == audience and claims["exp"] > now
    except Exception:  # One answer, whatever is wrong with it.
        fits = False
    if not fits:
        raise ValueError("This receipt does not let this call run now.")
    return claims


def digest_call(tool, args_text):
    """SHA-256 of a call, in lower-case hex, over {"arguments":…,"tool":…} with members sorted and numbers as written."""
    text = '{"arguments":%s,"tool":%s}' % (canonical(args_text), _text(tool))
    return hashlib.sha256(text.encode()).hexdigest()


class _Number(str):
    """A number as it was written."""


def _members(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("A member stands twice.")
    return dict(pairs)


def canonical(text):
    """A JSON text without white space, each object's members sorted by code unit, numbers as they were written."""
    hooks = {"parse_int": _Number, "parse_float": _Number, "parse_constant": _refuse, "object_pairs_hook": _members}
    return _write(json.loads(text, **hooks))


def _refuse(word):
    raise ValueError("%s is no JSON." % word)


def _write(value):
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(_write, value))
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{%s}" % ",".join("%s:%s" % (_text(name), _write(value[name])) for name in names)
    return json.dumps(value)


def _text(value):
    return json.dumps(value, ensure_ascii=False)


def _bytes(text):
    """What base64url holds; raises for a text that is not the one spelling of its bytes."""
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(content).rstrip(b"=").decode() != text:
        raise ValueError("This is not base64url.")
    return content


def _signed_claims(receipt, keys):
    header, payload, signature = receipt.split(".")
    known = json.loads(_bytes(header))
    if known["alg"] != "EdDSA" or known["typ"] != TYPE or "crit" in known:
        raise ValueError("This is no receipt.")
    key = next(one for one in keys if one["kid"] == known["kid"] and one["crv"] == "Ed25519")
    if not is_signed(_bytes(key["x"]), ("%s.%s" % (header, payload)).encode(), _bytes(signature)):
        raise ValueError("This receipt is not signed with the hub's key.")
    return json.loads(_bytes(payload))


# Ed25519 (RFC 8032, section 5.1): a point is (x, y), on -x^2 + y^2 = 1 + d x^2 y^2 modulo P.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def _add(a, b):
    """The sum of two points as (X, Y, Z, T), where x = X/Z, y = Y/Z and T = XY/Z."""
    lower, upper = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    across, both = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    e, f, g, h = upper - lower, both - across, both + across, upper + lower
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(count, point):
    total = (0, 1, 1, 0)
    while count > 0:
        total = _add(total, point) if count & 1 else total
        point, count = _add(point, point), count >> 1
    return total


def _point(content):
    """The point that 32 bytes stand for; raises where there is none."""
    y = int.from_bytes(content, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if len(content) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("This is no point of Ed25519.")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, content, signature):
    """Whether these 64 bytes are the Ed25519 signature of these bytes by the key of these 32."""
    commitment, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(commitment + key + content).digest(), "little") % ORDER
    try:
        left, right = _times(scalar, BASE), _add(_point(commitment), _times(challenge, _point(key)))
    except ValueError:
        return False
    return all((left[at] * right[2] - right[at] * left[2]) % P == 0 for at in (0, 1))
