import type { StatementInput } from "../statement-input";

/** The input of a view: what it shows, and for how long. */
export interface CreateSharedViewInput extends StatementInput {
  /** Your name for the view. The service stores it unencrypted, for your list. */
  label: string;
  /** When the service deletes it, at most 366 days from now. Default: 30 days. */
  expires?: Date | string | undefined;
  /** Only payments with this @handle or 0x address. */
  counterparty?: string | undefined;
  /** Whether to show memos too. */
  memos?: boolean | undefined;
}

/** A view in the owner's list. */
export interface ListedSharedView {
  /** `view_…` */
  shared_view_id: string;
  label: string;
  created_at: string;
  expires_at: string;
  /** When its ciphertext was first read. Null: if you delete it now, no one will have seen it. */
  opened_at: string | null;
}

/** A new view. */
export interface CreatedSharedView extends ListedSharedView {
  /** The link. The part after `#` decrypts the view and is never sent to a server. */
  url: string;
  /** Number of payments it shows. */
  payments: number;
  /** Number of payments left out because their amounts can't be decrypted and so can't be proved. */
  left_out: number;
}
