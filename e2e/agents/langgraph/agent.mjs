import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { ask } from './beckon.mjs';

const deleteRecords = (table) => (console.log(`ran ${table}`), `Deleted ${table}.`);
const graph = new StateGraph(Annotation.Root({ done: Annotation() }))
  .addNode('delete', () => ({ done: deleteRecords(interrupt('Which table is to be deleted?')) }))
  .addEdge(START, 'delete')
  .compile({ checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: '1' } };
let result = await graph.invoke({}, config);
while (result.__interrupt__)
  result = await graph.invoke(new Command(await ask('langgraph', result.__interrupt__)), config);

console.log(`said ${result.done}`);
