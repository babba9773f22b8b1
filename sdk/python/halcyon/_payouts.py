"""Many payments from one file, and payments at set times."""

from __future__ import annotations

import builtins
from typing import Any, Mapping, Optional, Sequence, cast

from ._inputs import amount_text, given, path_id
from ._pages import Pages
from ._payment_types import Payout, PayoutCheck, PayoutRow, Schedule, ScheduleRun, ScheduleRunDetails, WrittenSchedule
from ._resources import Resource


def _payments(rows: Sequence[Mapping[str, Any]]) -> builtins.list[Any]:
    """Formats payments for the API. Refuses floats as amounts."""
    return [{**row, "amount": amount_text(row.get("amount"))} for row in rows]


class PayoutsResource(Resource):
    """Many payments from one file: `halcyon.payouts`. Each request pays part of them."""

    def create(
        self,
        *,
        rows: Sequence[Mapping[str, Any]],
        allow_duplicates: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> Payout:
        """
        Checks every row and pays the first ones. Call `resume` while `rows_pending` is above zero.

        :param rows: each with `to` and `amount`, and optionally `asset`, `memo` and `reference`
        :param idempotency_key: the same key with the same rows continues the payout, and pays no row twice
        :raises ResponseLost: `outcome_unknown`, the payout may have begun
        """
        body = {"rows": _payments(rows), **given(allow_duplicates=allow_duplicates)}
        return cast(Payout, self._http.pay("/v1/payouts", body, idempotency_key, "payout_id"))

    def check(self, *, rows: Sequence[Mapping[str, Any]], allow_duplicates: Optional[bool] = None) -> PayoutCheck:
        """Finds every fault of a payout without creating it. It pays and stores nothing."""
        body = {"rows": _payments(rows), **given(allow_duplicates=allow_duplicates)}
        return cast(PayoutCheck, self._http.send("POST", "/v1/payouts", query={"dry_run": "true"}, json=body))

    def resume(self, payout_id: str, *, idempotency_key: Optional[str] = None) -> Payout:
        """Pays the next rows. Safe to repeat with any key."""
        path = f"{self._path(payout_id)}/resume"
        return cast(Payout, self._http.pay(path, None, idempotency_key, "payout_id", about={"payout_id": payout_id}))

    def cancel(self, payout_id: str, *, idempotency_key: Optional[str] = None) -> Payout:
        """Cancels the rows that are not paid yet."""
        path = f"{self._path(payout_id)}/cancel"
        return cast(Payout, self._http.post(path, None, idempotency_key, about={"payout_id": payout_id}))

    def get(self, payout_id: str, *, include: Optional[str] = None) -> Payout:
        """Returns a payout and its progress. `include="encrypted"` adds the encrypted key of its rows."""
        about = {"payout_id": payout_id}
        return cast(Payout, self._http.get(self._path(payout_id), given(include=include), about=about))

    def list(
        self, *, status: Optional[str] = None, limit: Optional[int] = None, starting_after: Optional[str] = None
    ) -> Pages[Payout]:
        """Lists the payouts, newest first."""
        query = given(status=status, limit=limit, starting_after=starting_after)
        return Pages(self._http, "/v1/payouts", query, "payouts", "payout_id")

    def rows(
        self,
        payout_id: str,
        *,
        status: Optional[str] = None,
        batch: Optional[int] = None,
        limit: Optional[int] = None,
        starting_after: Optional[int] = None,
        include: Optional[str] = None,
    ) -> Pages[PayoutRow]:
        """
        Lists the rows with their transfers, in file order. `starting_after` is the number of a row, `batch` that of one
        proof's rows. `include="encrypted"` adds their encrypted texts.
        """
        query = given(status=status, batch=batch, limit=limit, starting_after=starting_after, include=include)
        return Pages(self._http, f"{self._path(payout_id)}/rows", query, "rows", "row")

    @staticmethod
    def _path(payout_id: str) -> str:
        return f"/v1/payouts/{path_id('payout_id', payout_id)}"


class SchedulesResource(Resource):
    """Payments at set times: `halcyon.schedules`. The service pays a run during your request, never by itself."""

    def create(
        self,
        *,
        rule: Mapping[str, Any],
        payments: Sequence[Mapping[str, Any]],
        asset: Optional[str] = None,
        name: Optional[str] = None,
        automatic: Optional[bool] = None,
        window_seconds: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> WrittenSchedule:
        """
        Creates a schedule. `rule` sets its dates; each run makes all payments, or none.

        :raises ResponseLost: `outcome_unknown`, the schedule may exist
        """
        more = given(asset=asset, name=name, automatic=automatic, window_seconds=window_seconds)
        body = {"rule": dict(rule), "payments": _payments(payments), **more}
        return cast(WrittenSchedule, self._http.pay("/v1/schedules", body, idempotency_key, "schedule_id"))

    def list(
        self,
        *,
        status: Optional[str] = None,
        due: Optional[bool] = None,
        stale: Optional[bool] = None,
        limit: Optional[int] = None,
        starting_after: Optional[str] = None,
        include: Optional[str] = None,
    ) -> Pages[Schedule]:
        """
        Lists the schedules, newest first, without recipients and amounts. `due=True` lists those of which a payment is
        due, `stale=True` those under an earlier account secret. `include="encrypted"` adds what is encrypted.
        """
        only = {name: "true" for name, wanted in (("due", due), ("stale", stale)) if wanted}
        query = {**given(status=status, limit=limit, starting_after=starting_after, include=include), **only}
        return Pages(self._http, "/v1/schedules", query, "schedules", "schedule_id")

    def get(self, schedule_id: str, *, include: Optional[str] = None) -> Schedule:
        """Returns one schedule, without recipients and amounts. `include="encrypted"` adds what is encrypted."""
        about = {"schedule_id": schedule_id}
        return cast(Schedule, self._http.get(self._path(schedule_id), given(include=include), about=about))

    def update(
        self,
        schedule_id: str,
        *,
        status: Optional[str] = None,
        rule: Optional[Mapping[str, Any]] = None,
        payments: Optional[Sequence[Mapping[str, Any]]] = None,
        asset: Optional[str] = None,
        name: Optional[str] = None,
        automatic: Optional[bool] = None,
        window_seconds: Optional[int] = None,
        version: Optional[int] = None,
    ) -> WrittenSchedule:
        """Changes a schedule; None keeps a field's value. The status `paused` pauses it, `active` resumes it."""
        body = given(
            status=status,
            rule=None if rule is None else dict(rule),
            payments=None if payments is None else _payments(payments),
            asset=asset,
            name=name,
            automatic=automatic,
            window_seconds=window_seconds,
            version=version,
        )
        about = {"schedule_id": schedule_id}
        return cast(WrittenSchedule, self._http.send("PATCH", self._path(schedule_id), json=body, about=about))

    def skip(
        self,
        schedule_id: str,
        *,
        date: Optional[str] = None,
        version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> WrittenSchedule:
        """Skips the next date, or the one you name."""
        body = given(date=date, version=version)
        path = f"{self._path(schedule_id)}/skip"
        about = {"schedule_id": schedule_id}
        return cast(WrittenSchedule, self._http.post(path, body, idempotency_key, about=about))

    def end(self, schedule_id: str) -> None:
        """Ends a schedule for good, and deletes its contents."""
        self._http.send("DELETE", self._path(schedule_id))

    def runs(
        self, schedule_id: str, *, limit: Optional[int] = None, starting_after: Optional[str] = None
    ) -> Pages[ScheduleRun]:
        """Lists the runs, latest date first."""
        query = given(limit=limit, starting_after=starting_after)
        return Pages(self._http, f"{self._path(schedule_id)}/runs", query, "runs", "run_id")

    def get_run(self, schedule_id: str, run_id: str) -> ScheduleRunDetails:
        """Returns one run with its transfers."""
        about = {"schedule_id": schedule_id, "run_id": run_id}
        return cast(ScheduleRunDetails, self._http.get(self._run(schedule_id, run_id), about=about))

    def plan(self, schedule_id: str, *, idempotency_key: Optional[str] = None) -> Schedule:
        """Has the service record which dates are due and which comes next. Safe to repeat."""
        path = f"{self._path(schedule_id)}/runs"
        return cast(Schedule, self._http.post(path, None, idempotency_key, about={"schedule_id": schedule_id}))

    def pay_run(
        self,
        schedule_id: str,
        run_id: str,
        *,
        late: Optional[bool] = None,
        version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> ScheduleRunDetails:
        """
        Pays a run. It is paid once, however many programs try to pay it.

        :param late: True to consent to paying a missed run
        :raises ResponseLost: `outcome_unknown`, the run may have been paid
        """
        path = f"{self._run(schedule_id, run_id)}/pay"
        body, about = given(late=late, version=version), {"schedule_id": schedule_id, "run_id": run_id}
        return cast(ScheduleRunDetails, self._http.pay(path, body, idempotency_key, "run_id", about=about))

    @staticmethod
    def _path(schedule_id: str) -> str:
        return f"/v1/schedules/{path_id('schedule_id', schedule_id)}"

    def _run(self, schedule_id: str, run_id: str) -> str:
        return f"{self._path(schedule_id)}/runs/{path_id('run_id', run_id)}"
