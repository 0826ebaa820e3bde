import { useEffect, useRef } from 'preact/hooks';
import { type DocumentEditor, openEditor, type Progress } from './open-editor.ts';
import { dialogWords } from '../words.ts';
import { documentWords } from './words.ts';

type RichProps = {
  markdown: string;
  original: string;
  describedBy: string | undefined;
  onWrite: (markdown: string) => void;
  onOpen: (editor: DocumentEditor) => void;
  onClose: (editor: DocumentEditor) => void;
  onProgress: (progress: Progress) => void;
};

/** The document as prose that can be written in. */
export function RichText({ markdown, original, describedBy, onWrite, onOpen, onClose, onProgress }: RichProps) {
  const words = documentWords();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<DocumentEditor | undefined>(undefined);
  const latest = useRef({ onWrite, onProgress });
  latest.current = { onWrite, onProgress };
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const opened = openEditor({
      parent,
      markdown,
      original,
      label: dialogWords().yourAnswer,
      describedBy,
      write: words.writeHere,
      onWrite: (text) => latest.current.onWrite(text),
      onProgress: (progress) => latest.current.onProgress(progress),
    });
    editor.current = opened;
    onOpen(opened);
    return () => {
      onClose(opened);
      opened.close();
    };
  }, []);
  useEffect(() => editor.current?.replace(markdown), [markdown]);
  return <div class="doc" ref={place} />;
}
