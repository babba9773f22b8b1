// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE} from "../../src/Constants.sol";

/// What a sound proof system would do: it knows the opening of every commitment and takes exactly the true statements
/// of the circuits, for any caller. Commitments are hashes, so no one finds two openings of one.
contract IdealVerifier {
    struct AvailableBalance {
        bool known;
        uint64 limit;
        uint64 spent;
        uint32 day;
    }

    struct Policy {
        bool known;
        uint64 perPayment;
        uint64 daily;
        uint64 threshold;
    }

    mapping(uint256 commitment => uint256 amountPlusOne) private notes;
    mapping(uint256 commitment => AvailableBalance) private availableBalances;
    mapping(uint256 commitment => Policy) private policies;

    constructor() {
        notes[EMPTY_NOTE] = 1;
        availableBalances[EMPTY_AVAILABLE].known = true;
    }

    function commitNote(uint64 amount, uint256 salt) external returns (uint256 commitment) {
        // 253 bits: below the field's order.
        commitment = uint256(keccak256(abi.encode("note", amount, salt))) >> 3;
        notes[commitment] = uint256(amount) + 1;
    }

    function commitAvailable(uint64 limit, uint64 spent, uint32 day, uint256 salt) external returns (uint256 commitment) {
        commitment = uint256(keccak256(abi.encode("available", limit, spent, day, salt))) >> 3;
        availableBalances[commitment] = AvailableBalance(true, limit, spent, day);
    }

    function commitPolicy(uint64 perPayment, uint64 daily, uint64 threshold, uint256 salt)
        external
        returns (uint256 commitment)
    {
        commitment = uint256(keccak256(abi.encode("policy", perPayment, daily, threshold, salt))) >> 3;
        policies[commitment] = Policy(true, perPayment, daily, threshold);
    }

    function noteAmount(uint256 commitment) public view returns (uint256) {
        require(notes[commitment] != 0, "nobody knows this note");
        return notes[commitment] - 1;
    }

    function available(uint256 commitment) public view returns (AvailableBalance memory opening) {
        opening = availableBalances[commitment];
        require(opening.known, "nobody knows this available balance");
    }

    /// Transfer and Release: a release's third signal is an amount, which is below any hash. No commitment with a
    /// window.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[4] calldata s)
        external
        view
        returns (bool)
    {
        (AvailableBalance memory old, AvailableBalance memory next) = (available(s[0]), available(s[1]));
        return old.spent == 0 && old.day == 0 && _pays(old, next, _amount(s[2])) && _sameWindow(old, next);
    }

    /// Fund.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[5] calldata s)
        external
        view
        returns (bool)
    {
        (AvailableBalance memory from, AvailableBalance memory fromNew) = (available(s[0]), available(s[1]));
        (AvailableBalance memory to, AvailableBalance memory toNew) = (available(s[2]), available(s[3]));
        return from.limit > fromNew.limit && _pays(toNew, to, from.limit - fromNew.limit)
            && _sameWindow(from, fromNew) && _sameWindow(to, toNew);
    }

    /// SpendPublic.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[6] calldata s)
        external
        view
        returns (bool)
    {
        return _spends(s[0], s[1], s[2], s[3], s[4]);
    }

    /// Spend.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[7] calldata s)
        external
        view
        returns (bool)
    {
        return _spends(s[0], s[1], noteAmount(s[2]), s[3], s[4]);
    }

    /// MakeAvailable: the new window is the wallet's choice.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[13] calldata s)
        external
        view
        returns (bool)
    {
        uint256 total = s[8] + available(s[9]).limit;
        for (uint256 i = 0; i < 8; ++i) {
            total += noteAmount(s[i]);
        }
        uint256 change = noteAmount(s[11]);
        return total == available(s[10]).limit + change && (change == 0) == (s[11] == EMPTY_NOTE);
    }

    /// PayMany.
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[19] calldata s)
        external
        view
        returns (bool)
    {
        uint256 total;
        for (uint256 i = 2; i < 18; ++i) {
            uint256 amount = noteAmount(s[i]);
            if ((amount == 0) != (s[i] == EMPTY_NOTE)) return false;
            total += amount;
        }
        (AvailableBalance memory old, AvailableBalance memory next) = (available(s[0]), available(s[1]));
        return _pays(old, next, total) && _sameWindow(old, next);
    }

    function _spends(uint256 oldCommitment, uint256 newCommitment, uint256 amount, uint256 policyCommitment, uint256 terms)
        private
        view
        returns (bool)
    {
        (AvailableBalance memory old, AvailableBalance memory next) = (available(oldCommitment), available(newCommitment));
        (uint256 mode, uint256 day) = (terms % 4, terms / 4);
        if (!_pays(old, next, amount)) return false;
        if (mode == 2) return _sameWindow(old, next);
        Policy memory policy = policies[policyCommitment];
        if (!policy.known || amount > policy.perPayment || next.spent > policy.daily) return false;
        if (mode == 0 && amount > policy.threshold) return false;
        if (day > old.day) return next.day == day && next.spent == amount;
        return next.day == old.day && next.spent == old.spent + amount;
    }

    function _pays(AvailableBalance memory old, AvailableBalance memory next, uint256 amount) private pure returns (bool) {
        return amount > 0 && old.limit == next.limit + amount;
    }

    function _sameWindow(AvailableBalance memory a, AvailableBalance memory b) private pure returns (bool) {
        return a.spent == b.spent && a.day == b.day;
    }

    function _amount(uint256 signal) private view returns (uint256) {
        return signal < 2 ** 64 ? signal : noteAmount(signal);
    }
}
