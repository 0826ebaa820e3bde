import type { Locator, Page } from '@playwright/test';

/** The platform's own front end: it opened the stream, draws the question from it, and closes it when a frame says so. */
export class MainClient {
  readonly page: Page;
  readonly dialog: Locator;
  /** What the agent said, and how its stream ended. */
  readonly said: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog');
    this.said = page.getByRole('status');
  }

  /** Opens the platform's page and begins a conversation through `baseUrl`. */
  async begin(platform: string, baseUrl: string): Promise<void> {
    await this.page.goto(platform);
    await this.page.evaluate(CONVERSE, `${baseUrl}/chat/completions`);
  }

  async answer(words: string): Promise<void> {
    await this.dialog.getByRole('textbox', { name: 'Answer' }).fill(words);
    await this.dialog.getByRole('button', { name: 'Answer' }).click();
  }
}

const CONVERSE = (url: string): void => {
  type Chunk = { choices: [{ delta: { content?: string; chatos_additional_data?: Record<string, string> } }] };
  const [said, dialog, question, form, input] = ['output', 'dialog', 'h1', 'form', 'input'].map((name) =>
    document.querySelector(name),
  ) as [HTMLElement, HTMLDialogElement, HTMLElement, HTMLFormElement, HTMLInputElement];

  const show = ({ question: asked, inquiryId, type }: Record<string, string>): void => {
    if (type !== 'INQUIRY') return dialog.close();
    question.textContent = asked ?? '';
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void fetch('/reply', { method: 'POST', body: JSON.stringify({ inquiryId, response: input.value }) });
    });
    dialog.showModal();
  };

  const hear = (data: string): void => {
    if (data === '[DONE]') return said.append(' (whole)');
    const { content, chatos_additional_data: more } = (JSON.parse(data) as Chunk).choices[0].delta;
    if (content !== undefined) said.append(content);
    const { mcp_progress_notification_data: notification } = more ?? {};
    if (notification !== undefined)
      show((JSON.parse(notification) as { params: { meta: Record<string, string> } }).params.meta);
  };

  const listen = async (): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-of-the-client' };
    const reply = await fetch(url, { method: 'POST', headers, body: '{"stream":true}' });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const { done, value = '' } = await reader.read();
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) hear(event.slice('data: '.length));
      if (done) return said.append(' (over)');
    }
  };
  void listen();
};
