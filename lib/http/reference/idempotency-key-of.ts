import type { OperationReference } from "./read-reference";

/** Each key names the operation's purpose, so that every attempt sends the same one (docs/guides/idempotency.md). */
const NAMED: Readonly<Record<string, string>> = {
  createTransfer: "invoice-1042",
  createAgent: "agent-procurement",
  createWebhook: "webhook-orders",
};

/**
 * Returns the `Idempotency-Key` that an operation's samples send; undefined if the operation accepts none, or only
 * reads.
 */
export function idempotencyKeyOf({ id, parameters, scope, example }: OperationReference): string | undefined {
  if (scope === "read" || !parameters.some(({ name }) => name === "Idempotency-Key")) return undefined;
  const named = NAMED[id];
  if (named !== undefined) return named;
  const verb = id.replace(/[A-Z].*$/, "");
  const subject = example.path.split("/").findLast((segment) => /_[0-9A-Z]{26}$/.test(segment)) ?? id;
  return `${verb}-${subject}`;
}
