import { ReplaceShownFundsInput } from "@/lib/balances/proven/schema";
import { readShownFunds, replaceShownFunds } from "@/lib/balances/proven/shown-funds";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => readShownFunds(ctx),
  serialize: ({ version, encrypted }) => ({ version, encrypted }),
});

export const POST = route({
  auth: "session",
  body: ReplaceShownFundsInput,
  handle: ({ ctx, body }) => replaceShownFunds(ctx, body),
  serialize: ({ taken, record: { version, encrypted } }) => ({ taken, version, encrypted }),
});
