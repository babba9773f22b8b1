import { BalancesResource, toBalancesResource } from "@/lib/balances/balances-resource";
import { readBalances } from "@/lib/balances/read-balances";
import { BalancesInput, costOfBalances } from "@/lib/balances/schema";
import type { Documentation } from "@/lib/http/documentation";
import { route } from "@/lib/http/route";

const balances = (docs: Pick<Documentation, "operationId" | "summary">) =>
  route({
    auth: "apiKey",
    scope: "read",
    agentKeys: "allowed",
    opens: "flag",
    docs: {
      ...docs,
      tag: "Accounts",
      description:
        "With a `decryption_proof` made by the owner's client: the amounts it proves. Without one: only whether each asset's balance is above zero. The service itself can open no amount. GET and POST do the same; POST is for clients that cannot send a body with GET, as browsers and `fetch`.",
      errors: ["kyc_required", "reseal_required", "decryption_proof_invalid"],
    },
    body: BalancesInput,
    cost: costOfBalances,
    answers: { 200: BalancesResource },
    handle: ({ ctx, body }) => readBalances(ctx, body),
    serialize: toBalancesResource,
  });

export const GET = balances({ operationId: "getBalances", summary: "Get balances" });
export const POST = balances({ operationId: "proveBalances", summary: "Get balances (POST)" });
