import { notFound } from "next/navigation";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { type LocalMail, listLocalMail } from "@/lib/events/notifications/list-local-mail";

/** Returns the messages of the local inbox. If email is really sent, its page does not exist. */
export async function messagesOf(ctx: SessionContext): Promise<LocalMail[]> {
  try {
    return await listLocalMail(ctx);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}
