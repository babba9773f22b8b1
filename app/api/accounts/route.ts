import { toAccountResource } from "@/lib/accounts/account-resource";
import { createAccount } from "@/lib/accounts/create-account";
import { CreateAccountInput } from "@/lib/accounts/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "wallet",
  limit: "sign_up",
  body: CreateAccountInput,
  handle: ({ ctx, body }) => createAccount(ctx, body),
  status: ({ created }) => (created ? 201 : 200),
  serialize: ({ account }) => toAccountResource(account),
});
