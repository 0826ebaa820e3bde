import { FLOWS } from './flows.ts';
import { isForTests, type SourceFile } from './tree.ts';

/** What is measured of the house, with the most that it may be and what it is to become. */
export type Budget = { name: string; most: number; aim: number; measured: number };

/** A change may lower the first number. Raising one needs its reason in the same commit. */
const LIMITS: Record<string, [most: number, aim: number]> = {
  // Middleware for five more frameworks, each one file of the client.
  // The trace that an ask came with goes on with its webhooks, its gate's and its deciders' calls.
  // Calls of a Realtime session have other names for their members, and no "always" for a hosted server's.
  // Spans are exported where somebody asks for them.
  // Of whom an ask is asked too: the check at the ask, the step when it is due, and the simulation's promises of both.
  // The sealed log: what it names, its chain, and a verification of both that says what was changed.
  // Several people who approve: who counts, what stands, the guard of every resolution, a receipt of all.
  // RFC 8628: an agent's request for a key, its card's yes, the two calls and the command line's side of them.
  // ACP between an editor and its agent: what it is asked, in both versions, and its command.
  // Sign-ins of Keycloak: its tokens, what is asked, and the one try to tell it.
  // The Agent Approval Protocol: its requests, its instances with verified receivers, and operations done once for a key.
  // MCP Events: what is subscribed to, asked of an endpoint, polled and refused, in a folder of its own.
  // What no commit may leave behind is counted where it is written.
  // Asks beyond what a node can do are counted and refused.
  // Of several servers of Postgres the one that takes writes, after a failover too. A damaged database is refused and checked.
  // Webhooks have a second signature, every call that waits reads `Prefer`, and a hub says where its commands find it.
  // The command line shows the public keys of webhooks.
  // A rule for an agent knows its sub-agents, and an ask of several agents is one inquiry for each.
  // What `connect` wrote is told from what an agent rewrote around it, in TOML statement by statement.
  // A title is no line of code or of a table.
  // Small calls about large inquiries take turns, and every retry has a bound.
  // A damaged row holds up no other, whatever goes through them.
  // A person's time zone is changed by a choice alone, else it is the hub's.
  // Each reply to a hook says its kind, a line takes nothing else, `connect` tries it, and the owner hears of a hook that asks nobody.
  // Notifications say the hub's verb on an asker's buttons, and the call in a list of the command line.
  // Which settings of three agents, in which of their files, keep hooks from running.
  // YOLO leaves what destroys to people, in rows that an older node does not take for more.
  // One damaged row stops no report and nobody's page: each is read by itself, and each choice of a person.
  // A receipt of an inbound ask reads four columns.
  // A rule for one question, word for word; reports that leave out a damaged row.
  // A test says how often revoked devices are looked for.
  'lines of server': [51_182, 33_500],
  // What rings again has a time in the row of who was asked, a sweep, and what follows of what its person chose.
  // And one line of the log says what was asked and what became of it. An approval has an end, which whoever acts checks.
  // An ask, an answer and a webhook are spans.
  // Who is asked too while nobody answers is checked at the ask, asked by a sweep, and said in every view.
  // Several people who approve the same, of whom the last one resolves it.
  // What a request for a key says, and its yes.
  // A notification says who of several people has approved.
  // Keycloak takes one answer: rules for it, and a webhook that is sent once.
  // An event of a protocol has its own time, window and id; every id has a form as a UUID.
  // Who subscribed is told by a row of the same transaction.
  // And looked at there: one resolution, in time, by enough people, with its webhook.
  // And the name of a sub-agent.
  // What of a Markdown text is words, and no line of it is read with its square.
  // And how it stands, without reading what was asked.
  // What is left of the others where one cannot be read.
  // The zone of a person that is chosen, and the one of older pages that is not.
  // In `text` equal labels, questions and lists are told apart.
  // A person may want every end read.
  'lines of the core to be read first': [11_209, 8_500],
  // What is set apart stands under Later, a dialog says when it is back, and a row and a card whether the rest rings again.
  // Connect takes its snippets from a guide for each job.
  // The details of what was decided show its receipt, with its words.
  // The settings of passkeys have gaps where words stood on one another.
  // A source's page sets what its approvals take, and the owner sees passkeys of others.
  // A list of calls says their arguments in words, and lines of a package's hub name its own command.
  // A card on which the code of a request for a key is compared.
  // Connect has the settings of editors.
  // What no form of a gate writes is kept.
  // Connect offers the Agent Approval Protocol.
  // What a page does where its disk, its network or its outbox is broken, and says of it.
  // A page goes on over HTTP where no live line gets through, keeps how wrong its clock is, and sets more of a gate.
  // And the name of a sub-agent.
  // What cannot be drawn stands as plain text and takes nothing with it: bounds for Markdown, a boundary, each undone answer noted.
  // A page elsewhere offers its time zone, and what goes by a zone says which.
  // The call is named below its title wherever it stands, with what a search found, and so is what a button does.
  // What runs is read to its end, texts of files stand apart in a table of their own, and no rhythm of presses decides.
  // YOLO's start says what becomes of what destroys.
  // The words of deciding calls are fetched with the calls, for the first page has no room for them.
  // A rule for one question: its sentence, and the question itself where the rule is changed.
  // The filter of the list is fetched when it is wanted.
  'lines of web': [42_624, 31_000],
  // How spans are exported.
  // What a passkey does not protect from, and what a move of PUBLIC_URL does to passkeys.
  // What several people who approve protect from, and a request for a key does not.
  // What of an editor's prompt is kept safe.
  // Who can make a sign-in be asked, and what that cannot do.
  // What stops abuse of the Agent Approval Protocol.
  // What keeps a client of MCP Events from flooding others.
  // What a node does that has more to do than it can, and how that is measured.
  // Where a device's token lies.
  // What survives which fault.
  // What YOLO leaves to people.
  'words of README, ARCHITECTURE, SECURITY, CONTRIBUTING and infra/README': [7_990, 8_000],
  'lines of the longest file': [300, 300],
  // It is to be from 60 to 110: files that only one other used were joined with it.
  'lines of the median file': [110, 110],
  // Until when an approval holds stands in a file of its own.
  // What has to be signed with a passkey, too.
  // And whether those can be asked whom it escalates to.
  // And how many people have to approve it.
  // And that a large inquiry is superseded in a turn.
  'files of ask': [22, 17],
  // What an answer says, and that a person signed it, each in a file.
  // Where several people approve: what is stored of that, and who counts.
  'files of answer': [17, 18],
  'files of push': [8, 14],
  'files of webhook': [6, 10],
  'files of gated call': [18, 20],
  'files of rule': [10, 12],
  'files of decider': [13, 16],
  // What is kept goes into a database of its own, and what refuses it is told.
  'files of approve on the page': [20, 22],
};
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md', 'infra/README.md'];
const CORE = /^(shared\/(?!call-name\/|policies\/|connections\/)|server\/(inquiries|deliveries)\/)/;

/** Every budget, measured; the lines are those of code, without tests. */
export function budgets(files: SourceFile[]): Budget[] {
  const code = files.filter(
    ({ path }) => /^(server|shared|web)\/.*\.(ts|tsx|css|mjs)$/.test(path) && !isForTests(path),
  );
  const lengths = code.map(linesOf).toSorted((a, b) => a - b);
  const sum = (which: RegExp) =>
    code.filter(({ path }) => which.test(path)).reduce((all, file) => all + linesOf(file), 0);
  const words = files
    .filter(({ path }) => DOCUMENTS.includes(path))
    .reduce((all, { text }) => all + text.split(/\s+/).filter(Boolean).length, 0);
  const measured: Record<string, number> = {
    'lines of server': sum(/^server\//),
    // What a request for a key says, and its yes.
    'lines of the core to be read first': sum(CORE),
    'lines of web': sum(/^web\//),
    'words of README, ARCHITECTURE, SECURITY, CONTRIBUTING and infra/README': words,
    'lines of the longest file': lengths.at(-1) ?? 0,
    'lines of the median file': lengths[Math.floor(lengths.length / 2)] ?? 0,
    ...Object.fromEntries(Object.entries(FLOWS).map(([name, flow]) => [`files of ${name}`, flow.files.length])),
  };
  return Object.entries(LIMITS).map(([name, [most, aim]]) => ({ name, most, aim, measured: measured[name] ?? NaN }));
}

function linesOf({ text }: Pick<SourceFile, 'text'>): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
