/** What is wrong with a filter, in the page's words. The API's own messages name the parameter. */
const WORDS: Record<string, string> = {
  event_id: "An event ID starts with evt_. Copy it from an event or a delivery.",
  webhook_id: "There is no such endpoint.",
  target: "A target is an ID of letters, digits and _. Copy it from an entry.",
  key: "There is no such API key.",
};

/** Returns why a list's query was refused. */
export function problemOf({
  issues: [issue],
}: {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  return WORDS[String(issue?.path[0])] ?? issue?.message ?? "";
}
