import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { preferencesFor } from '../../live/preferences.ts';
import { language } from '../../ui/language.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Button } from '../../ui/Button.tsx';
import { focusField, useKeys } from '../view/keys.ts';
import { readHeadline } from '../view/headline.ts';
import type { KindProps } from '../kinds/kind.ts';
import { Bar, FaultHint } from '../view/Bar.tsx';
import { firstReply } from '../reply/state.ts';
import { Suggestion } from '../reply/QuestionReply.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { dialogWords } from '../words.ts';
import { isCostly } from './costly.ts';
import { withLf, withLineEnds } from './line-ends.ts';
import type { DocumentEditor, Progress, RichText, Tools } from './Editor.tsx';
import { documentWords } from './words.ts';

type Rich = { RichText: typeof RichText; Tools: typeof Tools };

/** An inquiry that is answered by writing in the asker's own document, which goes back whole. */
export function Document(props: KindProps) {
  const { inquiry, answering, elsewhere, extension, proposed, decline, onMore, onEscape, onHelp } = props;
  const words = dialogWords();
  const { reply, faults, tried } = answering;
  const costly = useMemo(() => [firstReply(inquiry).markdown, reply.markdown].some(isCostly), []);
  const rich = useRich(preferencesFor(inquiry.source.id).editor === 'rich' && !costly);
  const editor = useSignal<DocumentEditor | undefined>(undefined);
  const progress = useSignal<Progress>({ filled: 0, of: 0 });
  const suggested = inquiry.suggested?.markdown !== undefined;
  const send = () => void answering.send();
  // Where the document has no place to write, no letter does anything.
  const write = () => (rich.plain ? focusField() : editor.value?.write());
  useKeys({ write: () => write(), enter: send, escape: onEscape, help: onHelp });
  const fault = tried ? faults[0] : undefined;
  const tools = rich.ready && editor.value && <rich.ready.Tools view={editor.value.view} progress={progress.value} />;
  const { filled, of } = progress.value;
  return (
    <>
      <Note inquiry={inquiry} {...readHeadline(inquiry)}>
        {elsewhere}
      </Note>
      <Margin inquiry={inquiry} />
      <section class="reply" aria-label={words.yourAnswer}>
        <Suggestion source={inquiry.source.name} present={suggested} own={reply.own} onBack={answering.restart} />
        <Writing
          {...{ inquiry, answering, rich }}
          wrong={fault !== undefined}
          onOpen={(opened) => (editor.value = opened)}
          onClose={(closed) => {
            // In another language a new one is opened before this one is closed.
            if (editor.peek() === closed) editor.value = undefined;
          }}
          onProgress={(now) => (progress.value = now)}
        />
        <FaultHint fault={fault} id="why" />
      </section>
      {proposed}
      {/* With its tools or not at all: they would push the buttons from under a finger. */}
      {(rich.plain || editor.value) && (
        <Bar
          also={[extension, tools]}
          onMore={onMore}
          problem={answering.problem}
          say={of > 0 ? documentWords().filled(filled, of) : undefined}
        >
          <Button look="line" onPress={decline.press}>
            {decline.say}
          </Button>
          <Button onPress={send} waits={faults.length > 0 || answering.busy} cap={SEND_KEYS}>
            {suggested && !reply.own && faults.length === 0 ? words.sendSuggested : words.sendBack}
          </Button>
        </Bar>
      )}
    </>
  );
}

type WritingProps = Pick<KindProps, 'inquiry' | 'answering'> & {
  rich: ReturnType<typeof useRich>;
  wrong: boolean;
  onOpen: (editor: DocumentEditor) => void;
  onClose: (editor: DocumentEditor) => void;
  onProgress: (progress: Progress) => void;
};

function Writing({ inquiry, answering, rich, wrong, onOpen, onClose, onProgress }: WritingProps) {
  const words = dialogWords();
  const { reply, change } = answering;
  const first = firstReply(inquiry).markdown;
  // What is as it came was not written by anybody.
  const write = (markdown: string) =>
    markdown === first ? answering.restart() : change((before) => ({ ...before, markdown }));
  if (rich.plain)
    return (
      <Lines
        code
        label={words.yourAnswer}
        suggested={!reply.own}
        wrong={wrong}
        describedBy={wrong ? 'why' : undefined}
        value={withLf(reply.markdown)}
        rows={10}
        onWrite={(typed) => write(withLineEnds(reply.markdown, typed))}
      />
    );
  return (
    <>
      <p class="hint doc-whose" id="whose">
        {documentWords().whose(visible(inquiry.source.name))}
      </p>
      {rich.ready ? (
        <rich.ready.RichText
          // Its words are set when it is opened.
          key={language.value}
          markdown={reply.markdown}
          original={first}
          describedBy="whose"
          onWrite={write}
          {...{ onOpen, onClose, onProgress }}
        />
      ) : (
        <div class="prose is-plain" dir="auto">
          {visible(reply.markdown)}
        </div>
      )}
    </>
  );
}

// The rich editor once it has come; plain lines where they are preferred, or where it cannot be had.
function useRich(wanted: boolean): { ready: Rich | undefined; plain: boolean } {
  const ready = useSignal<Rich | undefined>(undefined);
  const failed = useSignal(false);
  useEffect(() => {
    if (!wanted || ready.value) return;
    Promise.all([import('./Editor.tsx'), import('./Editor.tsx')]).then(
      ([{ RichText: text }, { Tools: tools }]) => (ready.value = { RichText: text, Tools: tools }),
      () => (failed.value = true),
    );
  }, [wanted]);
  return { ready: wanted ? ready.value : undefined, plain: !wanted || failed.value };
}
