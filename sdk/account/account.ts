import type { Account } from "../api/resources";
import type { Context } from "../context/context";

/** The account of the API key; to an agent's key, the agent. */
export async function account(context: Context): Promise<Account> {
  return (await context.http.send("GET", "/v1/accounts/me", { headers: context.bearer })).body as Account;
}
