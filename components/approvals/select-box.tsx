import { Check } from "lucide-react";
import { repeatCheck, useEarly } from "@/components/ui/early-input";

/** A checkbox that selects a row, with a touch-sized target. `onChange` also receives whether Shift was held. */
export function SelectBox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean, range: boolean) => void;
}) {
  const box = useEarly<HTMLInputElement>(repeatCheck);
  return (
    <label className="relative z-10 -my-3 -mr-2 -ml-3 grid size-10 shrink-0 cursor-pointer place-items-center pointer-coarse:size-11">
      <input
        ref={box}
        type="checkbox"
        // What a reload restores is no press.
        autoComplete="off"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)}
        className="peer size-4 appearance-none rounded border border-line-strong bg-raised checked:border-accent checked:bg-accent"
      />
      <Check
        size={12}
        strokeWidth={3}
        aria-hidden="true"
        className="pointer-events-none absolute text-accent-ink opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}
