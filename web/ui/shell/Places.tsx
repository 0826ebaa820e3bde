/** The places of the app, or with `sub` those under one of them, as words only. */
export function Places({
  label,
  places,
  here,
  sub,
}: {
  label: string;
  places: readonly (readonly [href: string, word: string])[];
  here: string;
  sub?: boolean;
}) {
  return (
    <nav class={sub ? 'sub' : 'places'} aria-label={label}>
      {places.map(([href, word]) => (
        <a key={href} href={href} aria-current={href === here ? 'page' : undefined}>
          {word}
        </a>
      ))}
    </nav>
  );
}
