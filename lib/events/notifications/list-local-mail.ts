import { and, desc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { localMail } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { mailWay } from "./email/mail-way";

/** How many messages the list returns. */
const MOST = 50;

export type LocalMail = typeof localMail.$inferSelect;

/**
 * Returns the messages sent to the account's address on a local chain, newest first.
 *
 * @throws ApiError `not_found` if email goes through a mail server, or is not sent at all
 */
export async function listLocalMail({ account, chainId }: SessionContext): Promise<LocalMail[]> {
  if (mailWay(chainId) !== "inbox") {
    throw new ApiError("not_found", "There is an inbox on local chains only. Run the local stack with `npm start`.");
  }
  return db()
    .select()
    .from(localMail)
    .where(and(eq(localMail.rootId, account.rootId), eq(localMail.chainId, chainId)))
    .orderBy(desc(localMail.id))
    .limit(MOST);
}
