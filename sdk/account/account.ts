import type { Account } from "../api/resources/accounts";
import type { Context } from "../context/context";

/** Returns the account of the API key. For an agent's key, this is the agent. */
export async function account(context: Context): Promise<Account> {
  return (await context.http.send("GET", "/v1/accounts/me", { headers: context.bearer })).body as Account;
}
