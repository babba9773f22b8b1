/** The filters of the page after this one: after its last entry, so payments that are made meanwhile move no page. */
export function pageAfter<Input extends { offset?: number | undefined; startingAfter?: string | undefined }>(
  { offset: _, ...filters }: Input,
  { transfers }: { transfers: readonly { transfer_id: string }[] },
) {
  return { ...filters, startingAfter: transfers.at(-1)?.transfer_id };
}
