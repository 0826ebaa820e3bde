/** Every code of a refusal, under the statuses it comes with: what it means, and what to do. `/docs/problems` shows it. */
export const PROBLEMS = {
  400: {
    'ask.needs_http_1_1':
      'A call that waits came over HTTP/1.0, where a cut reply looks whole. Use HTTP/1.1, or `?wait=0`.',
    'credential.in_url':
      'A key or token stood in the address, where logs keep it. Send it as `Authorization: Bearer …`, and replace it by a new one.',
    'gate.bad_query': 'A query parameter of the gate’s address cannot be meant. The detail names it and what it takes.',
    'live.protocol': 'The page speaks another version of the live protocol than the hub. Reload it.',
    'mcp.bad_query': 'A query parameter of `/mcp` cannot be meant. The detail names it and what it takes.',
    'request.bad_url': 'The address is not valid. Write each `%` in it as two hexadecimal digits of UTF-8.',
    'request.malformed': 'What came is not HTTP, not JSON, or nests too deep. Send one JSON value as the body.',
    'request.refused': 'The call could not be read. The detail says why.',
  },
  401: {
    'credential.expired': 'The device was not used for 90 days. Let it in again from another device.',
    'credential.missing':
      'The call needs a credential. Send `Authorization: Bearer …` with a source key or a device token.',
    'credential.revoked': 'The device was signed out. Let it in again from another device.',
    'credential.unknown':
      'No source or device of this hub has this credential. Check it, and which hub it is for; a removed source has none.',
    'jwt.refused': 'The JWT lets nobody in. The detail says what is wrong with it; get a new one from its issuer.',
    'signature.refused': 'The message is not signed with the secret of this connection, or too long ago. Sign it anew.',
  },
  403: {
    'answer.needs_hands':
      'Several people have to approve this themselves. No rule, decider or deadline says yes in their place.',
    'answer.needs_passkey':
      'A yes to this has to be signed with a passkey, or sent with a printed code. Open it on the page; a no needs neither.',
    'credential.wrong_kind':
      'A source key was sent where a device token is needed, or the other way round. Sources ask and people answer.',
    'host.refused': 'The `Host` header does not name this hub. Call it at its PUBLIC_URL.',
    'origin.refused': 'A page of another origin called. Open the hub at its PUBLIC_URL, or call it from a server.',
    'passkey.needed': 'You have a passkey or printed codes. Show with one of them that you want this.',
    'passkey.refused':
      'What was signed is not what was asked for here, was used already or is older than a minute, or the passkey or code is not one of yours. Begin again.',
    'person.not_owner': 'Only the owner of the hub can do this. Ask them.',

    'receipt.refused':
      'The receipt does not let this call run: it is not this hub’s, has ended, is another source’s or about another call. Ask again.',
    'yolo.not_allowed': 'This source may not ask for YOLO. The owner can allow it under Automation, YOLO.',
  },
  404: {
    'approval.none':
      'No approval of yours stands on this: you gave none, took it back, or somebody started anew with an edit.',
    'ask.unknown':
      'This source has no ask with this id. Check the id, and that the key is that of the source that asked.',
    'connection.unknown':
      'There is no connection with this id, or with this address. Make one, or copy its address again.',
    'database.missing': 'There is no database in DATA_DIR. Set DATA_DIR to the folder of the hub.',
    'decider.unknown': 'There is no decider with this id. List the deciders.',
    'delivery.unknown': 'This source has no webhook with this id. List its deliveries.',
    'device.unknown': 'You have no device with this id. List your devices.',
    'dialect.unknown': 'The hub does not speak this dialect. The member `dialects` lists those it speaks.',
    'enrolment.unknown': 'There is no such link or access request for you. Make a new one.',
    'event.unknown': 'The hub knows no live event of this name.',
    'gate.unknown': 'There is no gate of this name for you. The owner makes gates and chooses who may use them.',
    'group.unknown': 'There is no group with this id. List the groups.',
    'inquiry.no_reply': 'Nothing went back to a framework for this inquiry, or not yet.',
    'inquiry.unknown':
      'There is no inquiry with this id that you asked or were asked, or it was erased after its time.',
    'notice.unknown': 'There is no notice with this id for you.',
    'passkey.unknown': 'You have no passkey with this id. List your passkeys.',
    'person.unknown': 'There is no person with this id or handle. List the people.',
    'proposal.unknown': 'There is no such proposal for you, or it is gone. Read the inquiry again.',
    'receipt.none': 'Nobody decided this inquiry, or not yet: only what somebody decided has a receipt.',
    'route.unknown': 'There is nothing at this address. Check it against the list of calls at `/docs`.',
    'source.unknown': 'There is no source with this id. List the sources.',
    'yolo.unknown': 'There is no such time of YOLO of yours.',
  },
  408: { 'request.too_slow': 'The call took too long to arrive. Send it again.' },
  409: {
    'answer.edited':
      'Somebody edited a call before you approved it. The member `inquiry` shows how it stands: send its `standing` decisions to approve the same.',
    'account.tied': 'The account or the person is tied already. The detail says to whom.',
    'ask.already_resolved': 'The ask is resolved and cannot be taken back. Read its reply.',
    'ask.unanswered':
      'Nobody decided, and the framework has no words for that. Treat it as no answer; `outcome` says how it ended.',
    'connection.has_open_questions': 'Its questions are open. Let them be answered or withdraw them first.',
    'connection.no_answer_url': 'The connection has no address for answers, so nobody was asked. Give it one.',
    'decider.in_use': 'Sources or rules still name this decider. Change those that the detail names, then remove it.',
    'decider.too_many': 'The hub has as many deciders as it may have. Remove one first.',
    'delivery.ended': 'The webhook is not being tried any more. Replay it.',
    'delivery.just_tried':
      'Its last attempt ended less than 5 seconds ago. The detail says from when on it can be tried again.',
    'delivery.paused': 'The webhooks of its source are paused. Go on with them first.',
    'delivery.pending': 'The webhook is still being tried. Wait for its last attempt, then replay it.',
    'enrolment.already_allowed':
      'This access request was allowed on another device. Type the digits that it shows, if it shows any.',
    'enrolment.used': 'The new device is signed in already. Sign it out in the list of devices if that was wrong.',
    'export.under_way': 'An export of your history is under way already. Let it end first.',
    'gate.of_file': 'This gate stands in GATES_FILE. The operator changes it there.',
    'handle.taken': 'A person or a group has this handle. Choose another.',
    'inquiry.asked_often': 'A decider was asked about this as often as it may be. Go on without it.',
    'inquiry.already_resolved': 'The inquiry is resolved. The member `resolution` says how; use that.',
    'inquiry.key_reused':
      'This key belongs to an inquiry that asks something else. Use a new key, or ask exactly the same again.',
    'inquiry.no_decider': 'No decider acts for this source. The owner chooses one under Sources.',
    'inquiry.open': 'People can still decide this call. Wait for them, or until its deadline.',
    'inquiry.undecidable': 'No decider may decide this, or its decider is turned off or gone. Let a person decide.',
    'notice.key_reused': 'This key was used for another notice. Use a new key.',
    'passkey.cannot': 'Passkeys cannot be used at the address of this hub. The detail says why, and what to do.',
    'passkey.last': 'Two passkeys have to be left, or one and printed codes. Add another one first.',
    'passkey.none': 'You have no passkey for this address. Add one under Settings, Passkeys.',
    'passkey.too_few': 'Before passkeys are wanted you need two, or one and printed codes.',
    'passkey.too_many': 'You have as many passkeys as you may have. Remove one first.',
    'person.is_owner': 'The owner of the hub cannot be removed.',
    'policies.changed':
      'The list of rules was changed meanwhile. Read it again, make your change in it, and send it anew.',
    'proposal.held': 'A rule or another decider has this inquiry already. Wait for it, or answer yourself.',
    'proposal.not_ready': 'The decider has not answered yet. Wait until the state is `ready`.',
    'receipt.used': 'The call ran already by this receipt. Ask again for another run.',
    'source.taken': 'A source has this name. Choose another.',
    'source.may_not_decide': 'This source may not ask a decider itself. The owner can allow it under Sources.',
    'subscription.none': 'This device has no subscription. Turn notifications on first.',
    'yolo.running': 'YOLO runs already. Stop it first.',
  },
  410: {
    'enrolment.expired': 'The link or the access request is too old. Make a new one.',
    'enrolment.refused': 'The access request was refused on another device. Ask again, or use a link.',
    'enrolment.used': 'The link was used already. Make a new one.',
  },
  413: {
    'draft.too_large': 'A draft may have at most 64 KiB. Shorten it.',
    'gate.arguments_too_long': 'The arguments of the call are longer than a person can be shown, 256 KiB. Send less.',
    'request.too_large': 'The body is larger than this call takes. Send less; most calls take 256 KiB.',
  },
  414: { 'request.url_too_long': 'A part of the address is longer than any id. Check the address.' },
  415: {
    'request.unsupported_media':
      'The body is of a type that this call does not take. Send `application/json` in UTF-8.',
  },
  422: {
    'answer.does_not_fit': 'The answer does not fit what was asked, which stays open. Correct what `faults` name.',
    'ask.other_dialect': 'The body is that of another dialect. The detail names the address that takes it.',
    'connection.credentials_of_another_host':
      'The stored key or headers were given for another host. Send them again for this one, or null.',
    'decider.key_of_another_host': 'The stored key was given for another host. Send it again for this one, or null.',
    'elicitation.invalid': 'The elicitation cannot be shown to anybody. Correct what the detail names.',
    'enrolment.wrong_code':
      'These are not the digits, or the code, of this request. `triesLeft` says how many tries are left.',
    'enrolment.wrong_number':
      'This is not the number that the new device shows, so it was not let in. Make another link.',
    'gate.headers_of_another_host':
      'The stored headers were given for another host. Send them again, or `{}` for none.',
    'preferences.too_many_sources': 'Too many sources have a way of their own. Reset some first.',
    'request.invalid':
      'Something in the call is missing, unknown or not as it must be. Correct every place that `faults` name.',
    'subscription.invalid': 'The browser’s subscription cannot be used. Correct what `faults` name, or subscribe anew.',
  },
  424: {
    'gate.upstream_unreachable': 'The MCP server behind the gate did not answer. Check its address and that it runs.',
  },
  429: {
    'decider.busy': 'The decider answers too much at once. Ask again in a minute.',
    'enrolment.too_many':
      'Too many devices asked to sign in, or agents for a key. Try again in ten minutes, or use a link.',

    'live.too_many': 'The device has too many pages open. Close some.',
    'notice.too_many': 'The source sent one of these people 60 notices within an hour. Gather several in one, or wait.',
    'request.too_many': 'Too many calls in a minute. Wait as long as `Retry-After` says.',
    'request.too_much':
      'As many bytes of this credential are on their way as may be. Send fewer bodies at once, and this one again as `Retry-After` says.',
    'schema.too_many': 'Too many JSON Schemas of this source wait to be checked. Send fewer at once.',
    'source.too_many_open': 'The source has as many open inquiries as it may have. Withdraw some, or wait for answers.',
    'source.too_much_open':
      'The open inquiries of the source hold as many bytes as they may. Withdraw some, wait for answers, or ask less at once.',
    'stream.too_many': 'This credential has as many streams open as it may have. Close some.',
    'wait.too_many':
      'As many calls of this credential wait as may wait. Let some end, or ask with `wait=0` and read the answers later.',
  },
  431: { 'request.headers_too_large': 'The headers are larger than 16 KiB. Send fewer or shorter ones.' },
  500: {
    'backup.failed': 'The backup could not be written. The detail says why.',
    'database.damaged': 'The file of the database is damaged. Stop the hub and restore the newest backup.',
    'database.migration_edited': 'A migration was edited after it was applied. Restore its file.',
    'database.newer': 'A newer version of the hub wrote this database. Start that version, or restore a backup.',
    'database.transaction_over': 'A fault in the hub: a statement came after its transaction had ended. Report it.',
    'database.unusable': 'The database cannot be opened. The detail says why.',
    'inquiry.damaged': 'What is stored of the inquiry is damaged. `beckon check` says what else is; restore a backup.',
    internal: 'The hub failed at this. Its log says why; report it, and send the call again with the same key.',
    'history.shrinks':
      'RETAIN_DAYS is lower than before, which erases history for good. Set it back, or start once with `--shrink-history`.',
    'sealing_key.damaged': 'The file `sealing-key` is damaged. Put back the copy that you keep of it.',
    'sealing_key.unusable': 'The sealing key cannot be made. Check DATA_DIR and its permissions, or set SEALING_KEY.',
    'sealing_key.wrong': 'The database was sealed with another key. Set SEALING_KEY to the one its other nodes have.',
  },
  503: {
    'database.busy': 'The database was too busy to store this. Send it again with the same key.',
    'database.too_slow': 'The database took too long to store this. Send it again with the same key.',
    'database.unavailable': 'The database does not answer or cannot be written. Send it again with the same key.',
    'hub.overloaded':
      'The hub has more to do than it can, and nothing was stored. Send it again after `Retry-After`, with the same key.',
    'hub.stopping': 'The hub is stopping. Send it again in a moment, with the same key.',
    'hub.unreachable': 'The hub cannot be reached. Check BECKON_URL and that it runs.',
    'page.not_built': 'The page is not built. Run `npm start`, which builds it.',
    'redis.unfit': 'Redis cannot be used as it is set. The detail says what to change.',
  },
} as const;

type Of<Codes> = Codes extends object ? keyof Codes & string : never;
export type ProblemCode = Of<(typeof PROBLEMS)[keyof typeof PROBLEMS]>;
