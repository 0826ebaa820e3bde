const strokes = {
  back: 'M14.5 5l-7 7 7 7',
  next: 'M9.5 5l7 7-7 7',
  up: 'M12 19V5.5M6.5 11L12 5.5l5.5 5.5',
  down: 'M12 5v13.5M6.5 13l5.5 5.5 5.5-5.5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  copy: 'M10 8.5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8.5 18v-8A1.5 1.5 0 0 1 10 8.5zM15.5 8.5V6A1.5 1.5 0 0 0 14 4.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h2.5',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  offline:
    'M3.5 10.2a12 12 0 0 1 4-2.7M11 6.7a12 12 0 0 1 9.5 3.5M7 13.7a7 7 0 0 1 3.5-1.8M15.3 12.7a7 7 0 0 1 1.7 1M12 17.8h.01M4 4l16 16',
  phone:
    'M9 2.5h6A2.2 2.2 0 0 1 17.2 4.7v14.6A2.2 2.2 0 0 1 15 21.5H9a2.2 2.2 0 0 1-2.2-2.2V4.7A2.2 2.2 0 0 1 9 2.5zM10.8 18.5h2.4',
  laptop: 'M6 5h12a1.5 1.5 0 0 1 1.5 1.5v9h-15v-9A1.5 1.5 0 0 1 6 5zM2.5 19h19',
  tablet: 'M6.5 3h11a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  browser: 'M5 4.5h14a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2zM3 9h18M6 6.8h.01',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.8H5zM10.3 21h3.4',
  mute: 'M8 7.2A5.5 5.5 0 0 1 17.5 11v3.8M6.5 11v5.5L5 18.3h12.5M10.3 21h3.4M4 4l16.5 16.5',
  key: 'M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12.6L19.5 4M16.5 7l2.8 2.8',
  plug: 'M9 3.5v5M15 3.5v5M6.5 8.5h11v3a5.5 5.5 0 0 1-11 0zM12 17v4',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  share: 'M12 14V3.5M8.3 7L12 3.3 15.7 7M8 10.5H5.5v10h13v-10H16',
  addhome: 'M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zM12 8.5v7M8.5 12h7',
  search: 'M10.8 4.5a6.3 6.3 0 1 1 0 12.6 6.3 6.3 0 0 1 0-12.6zM15.5 15.5l4.7 4.7',
  filter: 'M4 7h16M7.5 12h9M10.5 17h3',
  question: 'M8.3 9.2a3.8 3.8 0 1 1 5.5 3.3c-1.2.6-1.8 1.3-1.8 2.6M12 18.6h.01',
  choice: 'M4 7.2a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0M12.2 7.2H20M4 16.8a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0M12.2 16.8H20',
  approval: 'M8 5.2l10.5 6.8L8 18.8z',
  form: 'M4.5 5h15v5.2h-15zM4.5 13.8h15V19h-15zM7.5 7.6h.01M7.5 16.4h.01',
  document: 'M6.2 3.8h7.6l4 4v12.4H6.2zM13.6 4v4h4M9 12.2h6M9 15.8h6',
  link: 'M13.6 4.8h5.6v5.6M19 5l-8.6 8.6M10.2 6.2H5v12.8h12.8v-5.2',
  terminal: 'M4.5 7l5 5-5 5M12 17.5h7.5',
};

export type IconName = keyof typeof strokes;

/** A line drawing on the 24 grid; decoration only, a word always stands beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={name === 'more' ? 'ic ic--dots' : 'ic'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}
