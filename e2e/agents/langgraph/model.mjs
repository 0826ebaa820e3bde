/** What the graph does once it has been told which table. */
export const deleteRecords = (table) => (console.log(`ran ${table}`), `Deleted ${table}.`);
