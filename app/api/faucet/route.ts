import { requestFaucet } from "@/lib/balances/faucet/request-faucet";
import { FaucetInput } from "@/lib/balances/faucet/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "wallet",
  limit: "faucet",
  body: FaucetInput,
  handle: ({ ctx, body }) => requestFaucet(ctx, body),
  status: 202,
  // Public on chain, like every deposit (docs/protocol.md section 1).
  serialize: ({ operation, asset, tokens }) => ({
    ...toOperationResource(operation),
    asset,
    amount_tokens: tokens.toString(),
  }),
});
