import type { OperationReference } from "./read-reference";

/** A key names what is done, so that every attempt of it sends the same one (docs/guides/idempotency.md). */
const NAMED: Readonly<Record<string, string>> = {
  createTransfer: "invoice-1042",
  createAgent: "agent-procurement",
  createWebhook: "webhook-orders",
};

/**
 * The `Idempotency-Key` that samples of an operation send; undefined where the operation takes none, or changes nothing
 * and needs none.
 */
export function idempotencyKeyOf({ id, parameters, scope, example }: OperationReference): string | undefined {
  if (scope === "read" || !parameters.some(({ name }) => name === "Idempotency-Key")) return undefined;
  const named = NAMED[id];
  if (named !== undefined) return named;
  const verb = id.replace(/[A-Z].*$/, "");
  const subject = example.path.split("/").findLast((segment) => /_[0-9A-Z]{26}$/.test(segment)) ?? id;
  return `${verb}-${subject}`;
}
