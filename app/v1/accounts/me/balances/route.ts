import { BalancesResource, toBalancesResource } from "@/lib/balances/proven/balances-resource";
import { readBalances } from "@/lib/balances/proven/read-balances";
import { BalancesInput, costOfBalances } from "@/lib/balances/proven/schema";
import type { Documentation } from "@/lib/http/documentation";
import { route } from "@/lib/http/route";

const balances = (docs: Pick<Documentation, "operationId" | "summary" | "deprecatedBody">) =>
  route({
    auth: ["key", "session"],
    scope: "read",
    agentKeys: "allowed",
    actsForAgents: true,
    opens: "flag",
    docs: {
      ...docs,
      tag: "Accounts",
      description:
        "Returns the balance of each asset. With a `decryption_proof`, the response contains the amounts that it proves; without one, only whether each balance is above zero, because Halcyon can't decrypt them. GET and POST return the same. Use POST to send a proof: `fetch`, browsers and many proxies can't send a body with GET.",
      errors: ["kyc_required", "sync_required", "decryption_proof_invalid"],
    },
    body: BalancesInput,
    cost: costOfBalances,
    responses: { 200: BalancesResource },
    handle: ({ ctx, body }) => readBalances(ctx, body),
    serialize: toBalancesResource,
  });

export const GET = balances({
  operationId: "getBalances",
  summary: "Get balances (GET)",
  deprecatedBody: "Deprecated. Send the proof with POST.",
});
export const POST = balances({ operationId: "proveBalances", summary: "Get balances" });
