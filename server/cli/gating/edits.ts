import { withEdit, type Edit } from '../../mcp/gate/call.ts';
import { idKey, type Id, type Message } from '../../mcp/messages.ts';

type Line = Buffer | string;

/** The calls that run with other arguments than their client sent, until it is told so beside their results. */
export function createEdits() {
  const edits = new Map<string, Edit>();
  return {
    add: (id: Id, edit: Edit): void => void edits.set(idKey(id), edit),
    /** The client uses this id for something else, or waits for it no more. */
    forget: (id: unknown): void => void edits.delete(idKey(id)),
    /** A line on its way to the client, which is JSON: the result of an edited call says so, all else stays as it is. */
    tell(line: Line, message?: Message): Line {
      if (edits.size === 0) return line;
      const text = line.toString();
      const { id, method, ...rest } = message ?? (JSON.parse(text) as Message);
      const edit = method === undefined ? edits.get(idKey(id)) : undefined;
      if (!edit) return line;
      edits.delete(idKey(id));
      const changed = withEdit(text, rest, edit);
      return changed === text ? line : changed;
    },
  };
}
