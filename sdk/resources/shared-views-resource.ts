import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { OPTIONAL_PAGE, type OptionalPageInput, type Paged, paged } from "../api/paged";
import type { CheckedSharedView } from "../statements/shared-views/check-shared-view";
import type { SharedViewList } from "../statements/shared-views/list-shared-views";
import type {
  CreatedSharedView,
  CreateSharedViewInput,
  ListedSharedView,
} from "../statements/shared-views/shared-view-input";
import { Resource } from "./resource";
import { STATEMENT_FIELDS } from "./statements-resource";

/**
 * Views for an accountant: `halcyon.sharedViews`. A view is a link that shows the payments of one period or
 * counterparty and proves each against the chain. Few programs need views, so their code loads with the first call.
 */
export class SharedViewsResource extends Resource {
  /**
   * Shares a view of payments. This machine encrypts it; the service keeps the ciphertext until the view expires, and
   * only the link holds the key. A view proves that each payment it shows is real, not that none is missing. It can't
   * be taken back from someone who has opened it. Needs the wallet.
   *
   * @example
   * const input = { from: "2026-07-01", to: "2026-09-30", label: "Accountant, Q3" };
   * const { url } = await halcyon.sharedViews.create(input);
   * @throws HalcyonError `invalid_request` when there is nothing to show, or more than 5,000 payments
   */
  async create(input: CreateSharedViewInput, options?: CallOptions): Promise<CreatedSharedView> {
    const fields = { label: "text!", expires: "time", counterparty: "text", memos: "flag" } as const;
    checkInput(input, { ...STATEMENT_FIELDS, ...fields });
    const { createSharedView } = await import("./lazy-calls");
    return createSharedView(this.context.within(options), input);
  }

  /** Lists the views that are currently shared, newest first: all of them unless you set `limit`. Needs the wallet. */
  list(input: OptionalPageInput = {}, options?: CallOptions): Paged<SharedViewList, ListedSharedView> {
    checkInput(input, OPTIONAL_PAGE);
    const context = this.context.within(options);
    const read = async (page: OptionalPageInput) => (await import("./lazy-calls")).listSharedViews(context, page);
    return paged(
      { read, entries: ({ shared_views }) => shared_views, id: ({ shared_view_id }) => shared_view_id },
      input,
    );
  }

  /**
   * Deletes a view: its link stops working. Someone who opened it before may have kept what it showed. Needs the
   * wallet.
   *
   * @param sharedViewId `view_…`
   * @throws HalcyonError `not_found`
   */
  async delete(sharedViewId: string, options?: CallOptions): Promise<void> {
    checkText("sharedViewId", sharedViewId);
    const { deleteSharedView } = await import("./lazy-calls");
    return deleteSharedView(this.context.within(options), sharedViewId);
  }

  /**
   * Opens a view by its link and compares each payment with the chain. Needs neither wallet nor API key. Don't rely on
   * a view whose `refused` is above zero.
   *
   * @throws HalcyonError `not_found` when it expired or was deleted; `invalid_request` when the key can't decrypt it
   */
  async verify(link: string, options?: CallOptions): Promise<CheckedSharedView> {
    checkText("link", link);
    const { verifySharedView } = await import("./lazy-calls");
    return verifySharedView(this.context.within(options), link);
  }
}
