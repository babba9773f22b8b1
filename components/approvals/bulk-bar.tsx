import { Button } from "@/components/ui/button";
import { DECIDED_PAGE_SIZE } from "./filters";
import type { ApprovalVerb } from "./use-bulk";

/** Actions for the selected rows. Stays visible while the list scrolls. */
export function BulkBar({
  count,
  onDecide,
  onClear,
}: {
  count: number;
  onDecide: (verb: ApprovalVerb) => void;
  onClear: () => void;
}) {
  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-b-xl border-line border-t bg-raised px-4 py-3 sm:px-5">
      <p role="status" className="mr-auto text-sm">
        <span className="font-medium">{count} selected</span>{" "}
        <span className="text-muted text-xs">at most {DECIDED_PAGE_SIZE} at a time, from one page</span>
      </p>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button onClick={onClear}>Clear</Button>
        <Button onClick={() => onDecide("reject")}>Reject {count}</Button>
        <Button tone="primary" onClick={() => onDecide("approve")}>
          Approve {count}
        </Button>
      </div>
    </div>
  );
}
