import { Fragment } from "react";
import { classNames } from "./class-names";

/** The group after which the address wraps, so that both lines have equal length. */
const HALF = 5;

/**
 * A full address in groups of four that are easy to compare, on two lines if necessary. The groups are separated only
 * visually: copied or read out, the address is one word.
 */
export function FullAddress({ value, className }: { value: string; className?: string }) {
  const groups = value.slice(2).match(/.{1,4}/g) ?? [];
  return (
    <span className={classNames("-indent-[2ch] block pl-[2ch] font-mono text-[13px] leading-5", className)}>
      <span className="text-faint">{value.slice(0, 2)}</span>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of an address may be equal, and never change places.
        <Fragment key={at}>
          {at === HALF && <wbr />}
          <span className="mr-2 last:mr-0">{group}</span>
        </Fragment>
      ))}
    </span>
  );
}
