// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_BUDGET, EMPTY_NOTE} from "../../src/Constants.sol";

/// What a sound proof system would do: it knows the opening of every word and takes exactly the true statements of
/// docs/protocol.md section 5, for any caller. Commitments are hashes, so no one finds two openings of one.
contract IdealVerifier {
    struct Opening {
        bool known;
        uint64 amount;
    }

    mapping(uint256 word => Opening) private notes;
    mapping(uint256 word => Opening) private budgets;

    constructor() {
        notes[EMPTY_NOTE] = Opening(true, 0);
        budgets[EMPTY_BUDGET] = Opening(true, 0);
    }

    function commitNote(uint64 amount, uint256 salt) external returns (uint256 word) {
        // 253 bits: below the field's order.
        word = uint256(keccak256(abi.encode("note", amount, salt))) >> 3;
        notes[word] = Opening(true, amount);
    }

    function commitBudget(uint64 limit, uint256 salt) external returns (uint256 word) {
        word = uint256(keccak256(abi.encode("budget", limit, salt))) >> 3;
        budgets[word] = Opening(true, limit);
    }

    function noteAmount(uint256 word) public view returns (uint256) {
        require(notes[word].known, "nobody knows this note");
        return notes[word].amount;
    }

    function budgetLimit(uint256 word) public view returns (uint256) {
        require(budgets[word].known, "nobody knows this budget");
        return budgets[word].amount;
    }

    /// Transfer and release have as many signals: a release's third is an amount, which is below any hash.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[4] calldata s)
        external
        view
        returns (bool)
    {
        uint256 amount = s[2] < 2 ** 64 ? s[2] : noteAmount(s[2]);
        return amount > 0 && budgetLimit(s[0]) == budgetLimit(s[1]) + amount;
    }

    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[5] calldata s)
        external
        view
        returns (bool)
    {
        (uint256 fromOld, uint256 fromNew) = (budgetLimit(s[0]), budgetLimit(s[1]));
        return fromOld > fromNew && budgetLimit(s[3]) == budgetLimit(s[2]) + (fromOld - fromNew);
    }

    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[13] calldata s)
        external
        view
        returns (bool)
    {
        uint256 total = s[8] + budgetLimit(s[9]);
        for (uint256 i = 0; i < 8; ++i) {
            total += noteAmount(s[i]);
        }
        uint256 change = noteAmount(s[11]);
        return total == budgetLimit(s[10]) + change && (change == 0) == (s[11] == EMPTY_NOTE);
    }
}
