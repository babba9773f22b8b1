import { toNetworkAccountResource } from "@/lib/accounts/account-resource";
import { getAccount } from "@/lib/accounts/get-account";
import { UpdateAccountInput } from "@/lib/accounts/schema";
import { setBatchPayments } from "@/lib/accounts/set-batch-payments";
import { setStrict } from "@/lib/accounts/set-strict";
import { route } from "@/lib/http/route";

export const PATCH = route({
  auth: "session",
  body: UpdateAccountInput,
  handle: async ({ ctx, body }) => {
    if (body.strict !== undefined) await setStrict(ctx, body.strict);
    if (body.batch_payments !== undefined) await setBatchPayments(ctx, body.batch_payments);
    return getAccount(ctx, { include: "ledger" });
  },
  serialize: toNetworkAccountResource,
});
