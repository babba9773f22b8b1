"use client";

import { useEffect, useId, useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { zoneInWords } from "@/lib/policy/in-words";
import { ownTimeZone } from "@/lib/policy/local-time";
import type { DraftProblems, PolicyDraft } from "./draft";

type Hours = Pick<PolicyDraft, "allDay" | "start" | "end" | "time_zone">;

/**
 * Returns this browser's time zone and all zones it knows. Available only after the first render, since the server's
 * differ.
 */
function useZones(): { own: string | undefined; all: string[] } {
  const [zones, setZones] = useState<{ own: string | undefined; all: string[] }>({ own: undefined, all: [] });
  useEffect(() => {
    setZones({ own: ownTimeZone(), all: [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])] });
  }, []);
  return zones;
}

/** When the agent may pay, and in which time zone. The daily limit uses the same zone. */
export function HoursFields({
  hours,
  onHours,
  problems,
  disabled,
}: {
  hours: Hours;
  onHours: (hours: Hours) => void;
  problems: DraftProblems;
  disabled?: boolean;
}) {
  const id = useId();
  const { own, all } = useZones();
  const time = (name: "start" | "end", label: string, hint?: string) => (
    <Field label={label} hint={hint} error={name === "start" ? problems.active_hours : undefined}>
      {(control) => (
        <Input
          {...control}
          type="time"
          value={hours[name]}
          onChange={(event) => onHours({ ...hours, [name]: event.target.value })}
          disabled={disabled}
        />
      )}
    </Field>
  );
  const overnight = hours.end !== "00:00" && hours.end < hours.start;
  return (
    <div className="grid gap-4">
      <Checkbox
        label="At any time of the day"
        checked={hours.allDay}
        onChange={(allDay) => onHours({ ...hours, allDay })}
        disabled={disabled}
      />
      {!hours.allDay && (
        <div className="grid grid-cols-2 gap-4">
          {time("start", "From")}
          {time("end", "Until", overnight ? "On the next day." : undefined)}
        </div>
      )}
      <Field
        label="Time zone"
        hint={
          <>
            Hours and days follow the clock in {zoneInWords(hours.time_zone) || "this zone"}.
            {own !== undefined && own !== hours.time_zone && (
              <>
                {" "}
                <button
                  type="button"
                  disabled={disabled}
                  onClick={() => onHours({ ...hours, time_zone: own })}
                  className="font-medium text-ink underline underline-offset-2"
                >
                  Use {own}
                </button>
              </>
            )}
          </>
        }
        error={problems.time_zone}
      >
        {(control) => (
          <>
            <Input
              {...control}
              list={`${id}-zones`}
              value={hours.time_zone}
              onChange={(event) => onHours({ ...hours, time_zone: event.target.value.trim() })}
              autoComplete="off"
              spellCheck={false}
              disabled={disabled}
            />
            <datalist id={`${id}-zones`}>
              {all.map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </div>
  );
}
