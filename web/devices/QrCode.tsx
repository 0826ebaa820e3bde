import { useEffect, useState } from 'preact/hooks';

/** A link as a QR code; the encoder is fetched when the first one is drawn. */
export function QrCode({ text, label }: { text: string; label: string }) {
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
