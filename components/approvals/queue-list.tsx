import type { ApprovalAgent, WaitingPayment } from "./held-payment";
import { LeftRow, QueueRow } from "./queue-row";
import type { QueueItem } from "./use-queue";
import type { RowSelection } from "./use-selection";

/** The rows of a page of the queue: what waits, and for a moment what has just left. */
export function QueueList({
  items,
  agents,
  now,
  sessionId,
  hrefOf,
  selection,
  onOpen,
  onGone,
}: {
  items: readonly QueueItem[];
  agents: readonly ApprovalAgent[];
  /** Milliseconds since 1970. */
  now: number;
  sessionId: string;
  hrefOf: (id: string) => string;
  /** Undefined if there is nothing to select. */
  selection: RowSelection | undefined;
  onOpen: (id: string) => void;
  onGone: (entry: WaitingPayment) => void;
}) {
  return (
    <ul aria-label="Payments that wait" className="divide-y divide-line border-line border-t">
      {items.map(({ entry, left }) =>
        left === undefined ? (
          <QueueRow
            key={entry.transaction_id}
            entry={entry}
            agents={agents}
            now={now}
            href={hrefOf(entry.transaction_id)}
            selection={selection}
            onOpen={() => onOpen(entry.transaction_id)}
          />
        ) : (
          <LeftRow
            key={entry.transaction_id}
            entry={entry}
            left={left}
            sessionId={sessionId}
            onGone={() => onGone(entry)}
          />
        ),
      )}
    </ul>
  );
}
