"""The API's responses about payouts, schedules and payment requests (docs/openapi.json)."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict


class _Encrypted(TypedDict, total=False):
    encrypted: Dict[str, Any]


class Payout(_Encrypted):
    """`status` is `processing`, `paused`, `finished` or `cancelled`."""

    payout_id: str
    status: str
    pause_reason: Optional[str]
    rows: int
    rows_paid: int
    rows_failed: int
    rows_sent: int
    rows_pending: int
    rows_cancelled: int
    created_at: str
    finished_at: Optional[str]


class PayoutRow(_Encrypted):
    row: int
    status: str
    transfer_id: Optional[str]
    to: str
    reference: Optional[str]
    error: Optional[Dict[str, Any]]


class _Names(TypedDict, total=False):
    names: List[Dict[str, Any]]
    payout_id: Optional[str]


class PayoutCheck(_Names):
    """`faults` is empty if the payout would be accepted."""

    dry_run: bool
    rows: int
    faults: List[Dict[str, Any]]


class ScheduleRun(TypedDict):
    run_id: str
    schedule_id: str
    date: str
    due_at: str
    window_ends_at: str
    status: str
    failure: Optional[str]
    paid_at: Optional[str]


class ScheduleRunDetails(ScheduleRun):
    transfers: List[Any]


class _EncryptedSchedule(TypedDict, total=False):
    encrypted: Dict[str, Any]


class Schedule(_EncryptedSchedule):
    schedule_id: str
    status: str
    version: int
    window_seconds: int
    next_run: Optional[ScheduleRun]
    due_runs: List[ScheduleRun]
    created_at: str
    updated_at: str


class WrittenSchedule(Schedule):
    """`next_dates` has the next five dates."""

    next_dates: List[Dict[str, Any]]


class PaymentRequest(TypedDict):
    """`status` is `open`, `processing`, `paid`, `expired` or `cancelled`."""

    payment_request_id: str
    status: str
    payee: str
    asset: str
    asset_address: str
    envelope: str
    signature: str
    expires_at: str
    created_at: str
    reference: Optional[str]
    link_key: str
    paid_by: Optional[str]
    closed_at: Optional[str]
    payments: List[Dict[str, Any]]
