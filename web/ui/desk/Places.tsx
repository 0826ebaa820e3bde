/** The places of the app, as words only. */
export function Places({
  label,
  places,
  here,
}: {
  label: string;
  places: readonly (readonly [href: string, word: string])[];
  here: string;
}) {
  return (
    <nav class="places" aria-label={label}>
      {places.map(([href, word]) => (
        <a key={href} href={href} aria-current={href === here ? 'page' : undefined}>
          {word}
        </a>
      ))}
    </nav>
  );
}
