import type { OptionalPageInput } from "../../api/paged";
import type { Context } from "../../context/context";
import type { ListedDisclosure } from "./disclosure-input";

/** A page of the views that are currently shared. */
export interface DisclosureList {
  disclosures: ListedDisclosure[];
  has_more: boolean;
}

/** Lists the views that are currently shared, newest first: all of them unless the input selects a page. */
export async function listDisclosures(
  context: Context,
  { startingAfter, limit }: OptionalPageInput = {},
): Promise<DisclosureList> {
  return (await context.session()).get<DisclosureList>("/api/disclosures", { limit, starting_after: startingAfter });
}

/** Deletes a view: its link stops working. */
export async function deleteDisclosure(context: Context, id: string): Promise<void> {
  await (await context.session()).call("DELETE", `/api/disclosures/${encodeURIComponent(id)}`, {});
}
