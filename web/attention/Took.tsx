import type { Attention } from '#shared/policies/attention.ts';
import { visible } from '#shared/visible.ts';
import { AsTable } from './Plot.tsx';
import { MARKS, placeAt, shortTime } from './bars.ts';
import { attentionWords } from './words.ts';

const ROW = 46;
const FROM = 8;
const WIDTH = 320;

/** How long this person's answers took, by what was asked, and what ended without an answer of theirs. */
export function Took({ attention }: { attention: Attention }) {
  const t = attentionWords();
  const { kinds, sources } = attention;
  const time = (ms: number) => shortTime(ms, t.units);
  return (
    <section class="panel" aria-labelledby="attention-took">
      <h2 class="day" id="attention-took">
        {t.took}
      </h2>
      <div class="plots">
        {kinds.length === 0 ? <p class="say">{t.tookNone}</p> : <Lengths kinds={kinds} time={time} />}
        <Endings attention={attention} />
      </div>
      {kinds.length > 0 && (
        <AsTable
          caption={t.took}
          head={[t.table.kind, t.table.answered, t.table.half, t.table.most]}
          rows={kinds.map(({ kind, count, median, p90 }) => [t.kinds[kind], count, time(median), time(p90)])}
        />
      )}
      <h2 class="day">{t.became}</h2>
      <AsTable
        caption={t.became}
        head={[
          t.table.source,
          t.table.answered,
          t.table.declined,
          t.table.others,
          t.table.automatic,
          t.table.expired,
          t.table.withdrawn,
          t.table.open,
          t.table.half,
          t.table.most,
        ]}
        rows={sources.map(({ source, became, took }) => [
          visible(source.name),
          became.answered,
          became.declined,
          became.others,
          became.rule + became.yolo + became.decider,
          became.expired,
          became.withdrawn,
          became.open,
          took ? time(took.median) : '',
          took ? time(took.p90) : '',
        ])}
      />
    </section>
  );
}

function Lengths({ kinds, time }: { kinds: Attention['kinds']; time: (ms: number) => string }) {
  const t = attentionWords();
  const x = (ms: number) => FROM + placeAt(ms) * WIDTH;
  const bottom = kinds.length * ROW + 8;
  const label = t.plotTook(kinds.map(({ kind, median }) => `${t.kinds[kind]} ${time(median)}`).join(', '));
  return (
    <figure>
      <svg class="plot" viewBox={`0 0 340 ${bottom + 22}`} role="img" aria-label={label}>
        {MARKS.map((ms) => (
          <g key={ms}>
            <path class="grid" d={`M${x(ms)} 6V${bottom}`} />
            <text x={x(ms)} y={bottom + 17} text-anchor="middle">
              {time(ms)}
            </text>
          </g>
        ))}
        {kinds.map(({ kind, p25, median, p75, p90 }, at) => {
          const y = at * ROW + 34;
          return (
            <g key={kind}>
              <text x="0" y={y - 13}>
                {t.kinds[kind]}
              </text>
              <text class="n" x="340" y={y - 13} text-anchor="end">
                {t.half(time(median))}
              </text>
              <path class="axis" d={`M${FROM} ${y}H${x(p90)}`} />
              <rect class="half" x={x(p25)} y={y - 5} width={Math.max(x(p75) - x(p25), 1)} height="10" />
              <circle class="mid" cx={x(median)} cy={y} r="7" />
            </g>
          );
        })}
      </svg>
      <figcaption>{t.tookKey}</figcaption>
    </figure>
  );
}

function Endings({ attention: { sources, automatic, expiredUnseen } }: { attention: Attention }) {
  const t = attentionWords();
  const sum = (of: (one: Attention['sources'][number]) => number) => sources.reduce((all, one) => all + of(one), 0);
  const expired = sum(({ became }) => became.expired);
  const without = sum(({ became }) => became.rule + became.yolo + became.decider);
  return (
    <ul class="result">
      <li>
        <b>{t.expired(expired)}</b>
        {expired > 0 && t.unseen(expiredUnseen)}
      </li>
      <li>
        <b>{t.without(without)}</b>
        {automatic
          .slice(0, 5)
          .map(({ by, label, count }) => t.by(by, visible(label), count))
          .join(', ')}
      </li>
    </ul>
  );
}
