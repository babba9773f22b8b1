// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Order of the BN254 scalar field. Every commitment the ledger stores is below it.
uint256 constant FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617;

// Poseidon(1, 0, 0): fills an unused note slot and is skipped.
uint256 constant EMPTY_NOTE = 16319005924338521988144249782199320915969277491928916027259324394544057385749;

// Poseidon(2, 0, 0): what a zero available balance commitment means.
uint256 constant EMPTY_AVAILABLE = 13234400070188801104792523922697988244748411503422448631147834118387475842488;

// The native coin has this place among the assets.
address constant ETH = address(0);

// A deadline lies at most this far ahead, so that a lost signature is soon worth nothing.
uint256 constant DEADLINE_WINDOW = 24 hours;
