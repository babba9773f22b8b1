import { type ReactNode, useId } from "react";

/** Tabs that work without scripts: radio buttons, each of which shows the panel after it. */
export function KeySampleTabs({ samples }: { samples: { name: string; panel: ReactNode }[] }) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Language of the sample</legend>
      {samples.map(({ name, panel }, index) => (
        <div key={name} className="contents">
          <input
            type="radio"
            name={group}
            id={`${group}-${index}`}
            defaultChecked={index === 0}
            className="peer sr-only"
          />
          <label
            htmlFor={`${group}-${index}`}
            className="rounded-md px-2.5 py-1.5 text-muted text-sm hover:text-ink peer-checked:bg-sunken peer-checked:font-medium peer-checked:text-ink peer-focus-visible:outline-2 peer-focus-visible:outline-accent pointer-coarse:py-3"
          >
            {name}
          </label>
          <div className="order-1 mt-3 hidden w-full peer-checked:block">{panel}</div>
        </div>
      ))}
    </fieldset>
  );
}
