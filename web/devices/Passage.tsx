import './passage.css';
import { useEffect, useState } from 'preact/hooks';
import { whenIs } from '../app/clock.ts';
import { copyText } from '../app/browser/copy.ts';
import { now, useTicking } from '../ui/clock.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { opensElsewhere } from './opens-elsewhere.ts';
import { words } from './words.ts';

/** A one-time link as text, and as a QR code where another device could open it, until it runs out. */
export function Passage({
  link,
  expiresAt,
  onAnother,
  onTakeBack,
}: {
  link: string;
  expiresAt: string;
  onAnother: () => void;
  onTakeBack?: () => void;
}) {
  const t = say(words);
  useTicking();
  const [copied, setCopied] = useState(false);
  // What a phone scans of `localhost` leads it to itself.
  const scans = opensElsewhere(new URL(link).origin) !== 'local';
  const over = now.value >= Date.parse(expiresAt);
  if (over) {
    return (
      <div class="passage">
        <div>
          <p>{t.linkOver}</p>
          <Quiet onPress={onAnother}>{t.another}</Quiet>
        </div>
      </div>
    );
  }
  return (
    <div class="passage">
      {scans && <QrCode text={link} label={t.scan} />}
      <div>
        <p>{scans ? t.scan : t.copyOnly}</p>
        <p>
          <a class="url link" href={link}>
            {link}
          </a>
        </p>
        <p class="hint">
          {t.linkSay(whenIs(expiresAt))} <span role="status">{copied ? t.copied : ''}</span>
        </p>
        <div class="bar-also">
          <Quiet icon="copy" onPress={() => void copyText(link).then(setCopied)}>
            {t.copy}
          </Quiet>
          {onTakeBack && <Quiet onPress={onTakeBack}>{t.cancelLink}</Quiet>}
        </div>
      </div>
    </div>
  );
}

/** A link as a QR code; the encoder is fetched when the first one is drawn. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | undefined>();
  useEffect(() => {
    let shown = true;
    void import('uqr').then(({ encode }) => {
      const { size, data } = encode(text, { ecc: 'M', border: 1 });
      const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
      if (shown) setDrawn({ size, path });
    });
    return () => {
      shown = false;
    };
  }, [text]);
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${drawn?.size ?? 1} ${drawn?.size ?? 1}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={drawn?.path ?? ''} />
    </svg>
  );
}
