// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE, FIELD_ORDER} from "./Constants.sol";
import {Deposits} from "./Deposits.sol";
import {Groth16} from "./Groth16.sol";
import {StructHashes} from "./StructHashes.sol";
import {VerifierSet, Verifiers} from "./Verifiers.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Available balances and notes, and what a wallet does with its own.
abstract contract AvailableBalances is Deposits, Verifiers {
    /// A word in storage: what is read and then written is looked up once.
    struct Slot {
        uint256 value;
    }

    // A status fills its slot: packed, it would be read once more to be written.
    uint256 private constant NONE = uint256(NoteStatus.None);
    uint256 private constant OPEN = uint256(NoteStatus.Open);
    uint256 private constant SPENT = uint256(NoteStatus.Spent);

    uint256 private constant USED = 1;

    // Where available balances, notes and payment ids lie is one hash of all parts of their key, with one of these
    // last. A nested mapping hashes part by part. What the compiler places lies at small numbers or at hashes of 64
    // bytes, these of 96 or 128.
    uint256 private constant AVAILABLE_BALANCES = 1;
    uint256 private constant NOTES = 2;
    uint256 private constant PAYMENT_IDS = 3;

    // The constants that payments compare with. A large constant of the source is copied from the end of the code each
    // time; an immutable stands where it is used.
    uint256 internal immutable fieldOrder = FIELD_ORDER;
    uint256 private immutable emptyAvailable = EMPTY_AVAILABLE;
    uint256 private immutable emptyNote = EMPTY_NOTE;

    constructor(address owner, VerifierSet memory verifiers) Deposits(owner) Verifiers(verifiers) {}

    /// @inheritdoc ILedger
    function makeAvailable(MakeAvailableParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewAvailable(params.newAvailable);
        (uint64 nonce, address wallet) = _nonceAndWallet(params.account);
        Slot storage available = _available(params.account, params.asset);
        uint256 oldAvailable = _commitmentOf(available);
        bytes32 digest = _digest(StructHashes.makeAvailable(params, oldAvailable, nonce));
        _checkWallet(params.account, wallet, digest, signature);
        _checkMakeAvailableProof(params, proof, oldAvailable, digest);
        // Effects (each note is spent before the next is looked at: one note never counts twice)
        _useNonce(params.account, nonce);
        _useDeposited(params.account, params.asset, params.deposited);
        for (uint256 i = 0; i < 8; ++i) {
            if (params.notes[i] != EMPTY_NOTE) _spendNote(params.account, params.asset, params.notes[i]);
        }
        if (params.changeNote != EMPTY_NOTE) _openNote(params.account, params.asset, params.changeNote);
        available.value = params.newAvailable;
        emit MadeAvailable(
            params.account,
            params.asset,
            oldAvailable,
            params.newAvailable,
            params.notes,
            params.deposited,
            params.changeNote,
            params.ciphertext
        );
    }

    /// @inheritdoc ILedger
    function abandon(address account_, address asset, uint64 deadline, bytes calldata signature) external {
        // Checks
        _checkDeadline(deadline);
        (uint64 nonce, address wallet) = _nonceAndWallet(account_);
        uint256 oldAvailable = _available(account_, asset).value;
        if (oldAvailable == 0) revert NothingToAbandon(account_, asset);
        bytes32 digest = _digest(StructHashes.abandon(account_, asset, oldAvailable, nonce, deadline));
        _checkWallet(account_, wallet, digest, signature);
        // Effects
        _useNonce(account_, nonce);
        _available(account_, asset).value = 0;
        emit Abandoned(account_, asset, oldAvailable);
    }

    /// @inheritdoc ILedger
    function availableOf(address who, address asset) external view returns (uint256) {
        return _commitmentOf(_available(who, asset));
    }

    /// @inheritdoc ILedger
    function noteStatus(address who, address asset, uint256 note) external view returns (NoteStatus) {
        return NoteStatus(_note(who, asset, note).value);
    }

    /// @inheritdoc ILedger
    function paymentIdUsed(address who, bytes32 paymentId) external view returns (bool) {
        return _paymentId(who, paymentId).value == USED;
    }

    /// An available balance commitment that may be stored. The empty available balance's opening is public, so no
    /// account may get it.
    function _checkNewAvailable(uint256 commitment) internal view {
        if (!_isCommitment(commitment, emptyAvailable)) revert InvalidAvailableBalance(commitment);
    }

    /// Reverts unless `to` may get a note of `account_`.
    function _checkPayee(address account_, address to) internal view {
        if (to == account_) revert PaymentToSelf(account_);
        _checkEnrolled(to);
    }

    /// Emits Transferred or Released: the asset, the old available balance, and `size` bytes of calldata from the new
    /// available balance on, where the parameters of payments have the rest of the event in its order.
    function _emitPaid(
        bytes32 selector,
        address account_,
        address to,
        address asset,
        uint256 oldAvailable,
        uint256 start,
        uint256 size
    ) internal {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, asset)
            mstore(add(pointer, 0x20), oldAvailable)
            calldatacopy(add(pointer, 0x40), start, size)
            log3(pointer, add(size, 0x40), selector, account_, to)
        }
    }

    /// @param amount of 64 bits
    /// @return tokenAmount what a public amount is in the asset's smallest units
    function _checkRelease(address to, address asset, uint256 amount) internal view returns (uint256 tokenAmount) {
        bool lost;
        assembly ("memory-safe") {
            lost := or(iszero(to), eq(to, address()))
        }
        if (lost) revert InvalidRecipient(to);
        if (amount == 0) revert ZeroAmount();
        uint256 unit = _unitOf(asset);
        unchecked {
            // 64 bits by 128.
            return amount * unit;
        }
    }

    function _available(address who, address asset) internal pure returns (Slot storage slot) {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, who)
            mstore(add(pointer, 0x20), asset)
            mstore(add(pointer, 0x40), AVAILABLE_BALANCES)
            slot.slot := keccak256(pointer, 0x60)
        }
    }

    function _note(address who, address asset, uint256 note) private pure returns (Slot storage slot) {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, who)
            mstore(add(pointer, 0x20), asset)
            mstore(add(pointer, 0x40), note)
            mstore(add(pointer, 0x60), NOTES)
            slot.slot := keccak256(pointer, 0x80)
        }
    }

    function _paymentId(address who, bytes32 paymentId) private pure returns (Slot storage slot) {
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, who)
            mstore(add(pointer, 0x20), paymentId)
            mstore(add(pointer, 0x40), PAYMENT_IDS)
            slot.slot := keccak256(pointer, 0x60)
        }
    }

    /// The commitment of an available balance.
    function _commitmentOf(Slot storage available) internal view returns (uint256 commitment) {
        commitment = available.value;
        if (commitment == 0) commitment = EMPTY_AVAILABLE;
    }

    function _openNote(address who, address asset, uint256 note) internal {
        if (!_isCommitment(note, emptyNote)) revert InvalidNote(note);
        Slot storage status = _note(who, asset, note);
        if (status.value != NONE) revert NoteNotNew(who, asset, note);
        status.value = OPEN;
    }

    /// Whether a commitment is neither zero nor `empty`, and below the field's order.
    function _isCommitment(uint256 commitment, uint256 empty) private view returns (bool valid) {
        uint256 order = fieldOrder;
        assembly ("memory-safe") {
            valid := and(and(iszero(iszero(commitment)), iszero(eq(commitment, empty))), lt(commitment, order))
        }
    }

    function _usePaymentId(address who, bytes32 paymentId) internal {
        Slot storage used = _paymentId(who, paymentId);
        if (used.value == USED) revert PaymentIdUsed(who, paymentId);
        used.value = USED;
    }

    /// Only commitments below the field's order are ever stored, so an open note is one.
    function _spendNote(address who, address asset, uint256 note) private {
        Slot storage status = _note(who, asset, note);
        if (status.value != OPEN) revert NoteNotOpen(who, asset, note);
        status.value = SPENT;
    }

    function _checkMakeAvailableProof(
        MakeAvailableParams calldata params,
        Proof calldata proof,
        uint256 oldAvailable,
        bytes32 digest
    ) private view {
        uint256[13] memory signals;
        for (uint256 i = 0; i < 8; ++i) {
            signals[i] = params.notes[i];
        }
        signals[8] = params.deposited;
        signals[9] = oldAvailable;
        signals[10] = params.newAvailable;
        signals[11] = params.changeNote;
        signals[12] = uint256(digest) % FIELD_ORDER;
        Groth16.check(makeAvailableVerifier, proof, signals);
    }
}
