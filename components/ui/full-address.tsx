import { Fragment } from "react";
import { classNames } from "./class-names";

/** Where the one break is, so that both lines are as long. */
const HALF = 5;

/**
 * An address to the last digit, in groups of four that the eye can compare, on two lines where one has no room. The
 * groups are apart on screen alone: copied or read out, it is one word.
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
