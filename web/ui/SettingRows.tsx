import './setting-rows.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import { Switch } from './Switch.tsx';

type Group = {
  title: string;
  /** Stands at the right of the heading. */
  act?: ComponentChildren;
  /** Stands below the rows: what is said of them, and the dialog that one of them opened. */
  below?: ComponentChildren;
  children: ComponentChildren;
};

/** Settings that belong together, as rows under their heading. */
export function SettingRows({ title, act, below, children }: Group) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="kindof">
        <h2 id={id}>{title}</h2>
        {act}
      </div>
      <ul class="sets">{children}</ul>
      {below}
    </section>
  );
}

type Row = {
  name: string;
  /** What it is about, in smaller type below its name. */
  hint?: string | undefined;
};

/** What is set, with its present value; a press goes to its page or opens its dialog. Without either it cannot be changed. */
export function SettingRow({
  value,
  opens,
  ...row
}: Row & { value?: string | undefined; opens?: string | (() => void) }) {
  const inside = (
    <>
      <Name {...row} />
      <Value fixed={!opens}>{value}</Value>
    </>
  );
  return (
    <li>
      {!opens ? (
        <div>{inside}</div>
      ) : typeof opens === 'string' ? (
        <a href={opens}>{inside}</a>
      ) : (
        <button type="button" onClick={opens}>
          {inside}
        </button>
      )}
    </li>
  );
}

/** One of a few values; a native select lies over the whole row, so every device shows its own list. */
export function SettingChoice<V extends string>({
  value,
  label,
  options,
  onPick,
  ...row
}: Row & {
  value: V;
  /** Read aloud, where the name alone does not say of what. */
  label?: string | undefined;
  options: readonly (readonly [V, string])[];
  onPick: (value: V) => void;
}) {
  return (
    <li>
      <label>
        <Name {...row} />
        <Value>{options.find(([key]) => key === value)?.[1]}</Value>
        <select
          aria-label={label ?? row.name}
          value={value}
          onChange={(event) => onPick(event.currentTarget.value as V)}
        >
          {options.map(([key, words]) => (
            <option key={key} value={key} selected={key === value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </li>
  );
}

/** A time of day, written in the row itself; a field that is emptied changes nothing. */
export function SettingTime({
  value,
  label,
  onPick,
  ...row
}: Row & { value: string; label: string; onPick: (time: string) => void }) {
  return (
    <li>
      <label>
        <Name {...row} />
        <input
          type="time"
          aria-label={label}
          value={value}
          onChange={(event) => event.currentTarget.value && onPick(event.currentTarget.value)}
        />
      </label>
    </li>
  );
}

/** What is on or off. */
export function SettingSwitch({ on, onTurn, ...row }: Row & { on: boolean; onTurn: (on: boolean) => void }) {
  return (
    <li>
      <div>
        <Name {...row} />
        <Switch on={on} label={row.name} onTurn={onTurn} />
      </div>
    </li>
  );
}

function Name({ name, hint }: Row) {
  return (
    <span>
      <b>
        <bdi>{name}</bdi>
      </b>
      {hint && <small>{hint}</small>}
    </span>
  );
}

function Value({ children, fixed }: { children: ComponentChildren; fixed?: boolean }) {
  return (
    <span class="val">
      {children}
      {!fixed && <Icon name="next" />}
    </span>
  );
}
