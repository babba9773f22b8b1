import type { OptionalPageInput } from "../api/paged";
import type { Context } from "../context/context";
import type { ListedDisclosure } from "./disclosure-input";

/** A page of the views that are shared now. */
export interface DisclosureList {
  disclosures: ListedDisclosure[];
  has_more: boolean;
}

/** The views that are shared now, newest first; all of them unless a page is asked for. */
export async function listDisclosures(
  context: Context,
  { startingAfter, limit }: OptionalPageInput = {},
): Promise<DisclosureList> {
  return (await context.session()).get<DisclosureList>("/api/disclosures", { limit, starting_after: startingAfter });
}

/** Deletes one: its link opens nothing any more. */
export async function deleteDisclosure(context: Context, id: string): Promise<void> {
  await (await context.session()).call("DELETE", `/api/disclosures/${encodeURIComponent(id)}`, {});
}
