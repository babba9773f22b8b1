// Loaded into the command line with --import: keeps every answer of the service, for the search.
import { appendFileSync } from "node:fs";

const file = process.env.RECORD_ANSWERS;
const fetch = globalThis.fetch;
if (file) {
  globalThis.fetch = async (...args) => {
    const answer = await fetch(...args);
    const body = await answer.clone().text();
    appendFileSync(file, `${answer.status} ${answer.url}\n${JSON.stringify([...answer.headers])}\n${body}\n`);
    return answer;
  };
}
