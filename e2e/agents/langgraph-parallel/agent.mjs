import { Annotation, Command, interrupt, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
import { ask } from './beckon.mjs';

const deleteRecords = (table) => (console.log(`ran ${table}`), `Deleted ${table}.`);
const State = Annotation.Root({
  questions: Annotation(),
  done: Annotation({ reducer: (one, two) => one.concat(two), default: () => [] }),
});
const graph = new StateGraph(State)
  .addNode('delete', ({ question }) => ({ done: [deleteRecords(interrupt(question))] }))
  .addConditionalEdges(START, ({ questions }) => questions.map((question) => new Send('delete', { question })))
  .compile({ checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: '1' } };
let result = await graph.invoke({ questions: JSON.parse(process.argv[2]).flat(2) }, config);
while (result.__interrupt__)
  result = await graph.invoke(new Command(await ask('langgraph', result.__interrupt__)), config);

console.log(`said ${result.done.join(' | ')}`);
