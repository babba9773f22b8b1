/** What is wrong with a filter of an address, in the words of the page. The API's own name the parameter. */
const WORDS: Record<string, string> = {
  event_id: "An event's ID begins with evt_. Copy it from an event or a delivery.",
  webhook_id: "There is no such endpoint.",
  target: "A target is an ID of letters, digits and _. Copy it from an entry.",
  key: "There is no such API key.",
};

/** Why a list's query is refused. */
export function problemOf({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  return WORDS[String(issue?.path[0])] ?? issue?.message ?? "";
}
