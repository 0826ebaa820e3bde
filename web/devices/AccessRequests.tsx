import './access-requests.css';
import { signal } from '@preact/signals';
import type { AccessRequest } from '#shared/schemas/enrolments.ts';
import { visible } from '#shared/visible.ts';
import { HubIcon } from '../app/HubIcon.tsx';
import { route } from '../app/route.ts';
import { Refused } from '../app/form/Wrong.tsx';
import {
  accessRequests,
  allowed,
  type Claim,
  claims,
  dropAccessRequest,
  dropAllowed,
  dropClaim,
} from '../live/enrolments.ts';
import { openInquiryId } from '../live/inquiries.ts';
import { isPutOff, putOff } from '../live/put-off.ts';
import { say } from '../ui/language.ts';
import { ShownPostcode } from '../ui/post/Postcode.tsx';
import { Button } from '../ui/Button.tsx';
import { readBrowser } from '../sign-in/device-name.ts';
import { clockTime } from '../ui/times.ts';
import { Toast } from '../ui/shell/Toast.tsx';
import { allow, confirmNumber, refuseEnrolment } from './enrol.ts';
import { Card, useAct } from './RequestCard.tsx';
import { SourceRequestCard, sourceToast } from './SourceRequest.tsx';
import { words } from './words.ts';

/** Which the person wants to see whole. */
const reviewed = signal<ReadonlySet<string>>(new Set());

/**
 * What a new device asks of this person, on every page: an access request to answer, digits to read out, a number to
 * pick, a key to give to an agent. First there is a toast, which can be put off; not on its own page, nor for a link of this device, whose
 * person waits for the number unless a question is open.
 */
export function AccessRequests() {
  const { page } = route.value;
  const forKeys = accessRequests.value.filter(({ source }) => source);
  // The one whose link was opened, else the newest: whoever floods covers no page.
  const shown = forKeys.find(({ source }) => `#${source?.userCode}` === location.hash) ?? forKeys.at(-1);
  const whole = (one: AccessRequest | Claim) =>
    (one.source ? page === 'connect' && one === shown : page === 'devices') || reviewed.value.has(one.enrolmentId);
  const requests = accessRequests.value.filter(whole);
  const numbers = claims.value.filter((claim) => whole(claim) || openInquiryId.value === undefined);
  const first = [...accessRequests.value, ...claims.value].find(
    (one) => ![...requests, ...numbers].includes(one) && !isPutOff(one.enrolmentId),
  );
  return (
    <>
      {first && (
        <AccessRequestToast
          key={first.enrolmentId}
          asked={first}
          onReview={() => (reviewed.value = new Set([...reviewed.value, first.enrolmentId]))}
          onLater={() => void putOff(first.enrolmentId)}
        />
      )}
      {requests.map((request) =>
        request.source ? (
          <SourceRequestCard key={request.enrolmentId} request={request} source={request.source} />
        ) : (
          <AccessRequestCard key={request.enrolmentId} request={request} />
        ),
      )}
      {numbers.map((claim) => (
        <ClaimCard key={claim.enrolmentId} claim={claim} />
      ))}
      {allowed.value.map((request) => (
        <DigitsCard key={request.enrolmentId} request={request} />
      ))}
    </>
  );
}

function AccessRequestCard({ request }: { request: AccessRequest }) {
  const t = say(words);
  const { act, problem } = useAct(request, dropAccessRequest);
  return (
    <Card title={t.requestTitle(visible(request.deviceName))} expiresAt={request.expiresAt}>
      <p class="dim">{t.requestSay(readBrowser(request.userAgent), request.address)}</p>
      <p class="hint">{t.warning}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={() => act(() => refuseEnrolment(request.enrolmentId))}>
          {t.notMe}
        </Button>
        <Button onPress={() => act(() => allow(request))}>{t.approve}</Button>
      </div>
    </Card>
  );
}

function ClaimCard({ claim }: { claim: Claim }) {
  const t = say(words);
  const { act, problem } = useAct(claim, dropClaim);
  return (
    <Card title={t.claimTitle(visible(claim.deviceName))} expiresAt={claim.expiresAt}>
      <p class="dim">{t.claimSay(readBrowser(claim.userAgent), claim.address)}</p>
      <p class="hint">{t.warning}</p>
      {problem ? (
        <>
          <Refused problem={problem} />
          <div class="bar-do">
            <Button look="line" onPress={() => dropClaim(claim.enrolmentId)}>
              {t.done}
            </Button>
          </div>
        </>
      ) : (
        <>
          <div class="bar-do numbers">
            {claim.numbers.map((number) => (
              <button
                key={number}
                type="button"
                class="button button--line"
                aria-label={t.pick(number)}
                onClick={() => act(() => confirmNumber(claim.enrolmentId, number))}
              >
                {number}
              </button>
            ))}
          </div>
          <div class="bar-also">
            <button type="button" class="quiet" onClick={() => act(() => refuseEnrolment(claim.enrolmentId))}>
              <span class="link">{t.none}</span>
            </button>
          </div>
        </>
      )}
    </Card>
  );
}

function DigitsCard({ request }: { request: AccessRequest & { code: string } }) {
  const t = say(words);
  useAct(request, dropAllowed);
  return (
    <Card title={t.digitsTitle(visible(request.deviceName))} expiresAt={request.expiresAt}>
      <ShownPostcode digits={request.code} label={t.digits} />
      <p class="hint">{t.digitsSay(clockTime(Date.parse(request.expiresAt)))}</p>
      <div class="bar-do">
        <Button look="line" onPress={() => dropAllowed(request.enrolmentId)}>
          {t.done}
        </Button>
      </div>
    </Card>
  );
}

type AccessRequestToastProps = {
  asked: AccessRequest | Claim;
  onReview: () => void;
  onLater: () => void;
};

/** A sign-in request that nobody has looked at. */
function AccessRequestToast({ asked, onReview, onLater }: AccessRequestToastProps) {
  const t = say(words);
  const { label, name, more } = asked.source
    ? sourceToast(asked, asked.source)
    : {
        label: t.request,
        name: t.wants(visible(asked.deviceName)),
        more: t.from(readBrowser(asked.userAgent), asked.address),
      };
  return (
    <Toast
      label={label}
      by={
        <>
          <b>{label}</b> · {t.until(clockTime(Date.parse(asked.expiresAt)))}
        </>
      }
      name={name}
      more={more}
      icon={<HubIcon />}
      putOff={{ say: t.notNow, press: onLater }}
      open={{ say: t.review, press: onReview }}
    />
  );
}
