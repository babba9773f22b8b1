import type { OptionalPageInput } from "../../api/paged";
import type { Context } from "../../context/context";
import type { ListedSharedView } from "./shared-view-input";

/** A page of the views that are currently shared. */
export interface SharedViewList {
  shared_views: ListedSharedView[];
  has_more: boolean;
}

/** Lists the views that are currently shared, newest first: all of them unless the input selects a page. */
export async function listSharedViews(
  context: Context,
  { startingAfter, limit }: OptionalPageInput = {},
): Promise<SharedViewList> {
  return (await context.session()).get<SharedViewList>("/api/shared-views", { limit, starting_after: startingAfter });
}

/** Deletes a view: its link stops working. */
export async function deleteSharedView(context: Context, id: string): Promise<void> {
  await (await context.session()).call("DELETE", `/api/shared-views/${encodeURIComponent(id)}`, {});
}
