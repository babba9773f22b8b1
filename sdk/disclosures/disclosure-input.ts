import type { StatementInput } from "../statements/statement-input";

/** What a view shows, and for how long. */
export interface CreateDisclosureInput extends StatementInput {
  /** What you call it: the service keeps this in clear, for your list. */
  label: string;
  /** When the service deletes it; at most 366 days ahead. 30 days when left out. */
  expires?: Date | string | undefined;
  /** Only payments with this @handle or 0x address. */
  counterparty?: string | undefined;
  /** Also shows memos. */
  memos?: boolean | undefined;
}

/** A view in the owner's list. */
export interface ListedDisclosure {
  /** `view_…` */
  disclosure_id: string;
  label: string;
  created_at: string;
  expires_at: string;
  /** When its ciphertext was first asked for; null: deleting it takes back everything. */
  opened_at: string | null;
}

/** A view that was shared. */
export interface CreatedDisclosure extends ListedDisclosure {
  /** What follows `#` opens it, and is never sent to a server. */
  url: string;
  /** How many payments it shows. */
  payments: number;
  /** Payments that can't be proved and are not in it: their amounts can't be decrypted. */
  left_out: number;
}
