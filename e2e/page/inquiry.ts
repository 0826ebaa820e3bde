import { expect, type Locator, type Page } from '@playwright/test';
import { exactly, press, pressAnyway, button } from './press.ts';

/** The inquiry that is open on a page, as somebody sees it who knows it only by its words. */
export class InquiryPage {
  readonly page: Page;
  readonly panel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole('main');
  }

  /** The question, or the sentence that says how it ended. */
  get heading(): Locator {
    return this.panel.getByRole('heading', { level: 1 });
  }

  /** The sentence that says how it ended. */
  get verdict(): Locator {
    return this.heading.getByRole('status');
  }

  /** Notes every headline, for an ending that leaves the page by itself. */
  noteHeadlines(): Promise<(words: string | RegExp) => Promise<void>> {
    return this.#note('main h1');
  }

  /** Notes what every button that takes no press says, for a wait that is over by itself. */
  noteWaits(): Promise<(words: string | RegExp) => Promise<void>> {
    return this.#note('main button[aria-disabled="true"]');
  }

  /**
   * Notes what stands at these places from now on, until the page is loaded anew, which a look now and then could miss;
   * the function it returns waits until it was these words.
   */
  async #note(places: string): Promise<(words: string | RegExp) => Promise<void>> {
    await this.page.evaluate(NOTE, places);
    return (words) =>
      expect
        .poll(() => this.page.evaluate<string[]>('noted'), { intervals: [100] })
        .toContainEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  }

  get answer(): Locator {
    return this.panel.getByRole('textbox', { name: 'Your answer' });
  }

  /** Opens an inquiry of the inbox, or finds it open. */
  async open(title: string): Promise<void> {
    const entry = this.page.getByRole('link', { name: title });
    const asked = this.heading.filter({ hasText: title });
    // Until the first inquiry opens by itself, the heading is the inbox's own.
    await expect(asked.or(entry).first()).toBeVisible();
    // One that stands open by itself answers to keys once it was clicked.
    await ((await asked.isVisible()) ? asked : entry.or(asked)).first().click();
    await expect(this.heading).toContainText(title);
  }

  button(words: string): Locator {
    return button(this.panel, words);
  }

  /** A button that is only underlined words. */
  quiet(words: string): Locator {
    return this.panel.getByRole('button', { name: exactly(words) });
  }

  async pick(...labels: string[]): Promise<void> {
    for (const name of labels)
      await this.panel.getByRole('radio', { name }).or(this.panel.getByRole('checkbox', { name })).check();
  }

  /** Picks the one answer of a step, which moves on by itself, and waits for the next question. */
  async choose(label: string, next: string | RegExp): Promise<void> {
    await press(this.panel.getByRole('radio', { name: label }), this.heading.filter({ hasText: next }));
  }

  /** Answers with one tap where answers are buttons, and waits for how it ended. */
  async tap(label: string): Promise<void> {
    await press(this.panel.getByRole('button', { name: label }), this.verdict);
  }

  /** The line that says what of the calls was not seen. */
  get below(): Locator {
    return this.panel.locator('.below');
  }

  /** Follows that line until nothing is missing any more, and the button that approves stands there. */
  async readOn(approve = 'Approve'): Promise<void> {
    await expect(async () => {
      for (let presses = 0; presses < 60 && (await this.below.isVisible()); presses++)
        await this.below.click({ timeout: 1000 });
      await expect(this.below).toBeHidden({ timeout: 500 });
      await expect(this.button(approve)).toBeVisible({ timeout: 500 });
      // A small window on a busy machine takes many presses.
    }).toPass({ timeout: 60_000 });
  }

  /** Presses a deciding button and waits for how it ended. */
  async decide(words: string): Promise<void> {
    await press(this.button(words), this.verdict);
  }

  /** Presses a button that waits for something to be put right, and expects it to say what. */
  async cannot(words: string, why: string, focused?: Locator): Promise<void> {
    await pressAnyway(this.button(words), this.panel.getByRole('alert').filter({ hasText: why }), focused);
  }
}

const NOTE = (places: string): void => {
  const noted: (string | null)[] = [];
  const note = () => noted.push(...Array.from(document.querySelectorAll(places), ({ textContent }) => textContent));
  note();
  new MutationObserver(note).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    attributeFilter: ['aria-disabled'],
  });
  Object.assign(globalThis, { noted });
};
