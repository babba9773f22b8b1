// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "./Constants.sol";
import {AvailableBalances} from "./AvailableBalances.sol";
import {Groth16} from "./Groth16.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Payments under no policy, one or many, and moves between an owner and its agents.
abstract contract Payments is AvailableBalances {
    uint256 private constant MOST_PAYMENTS = 16;

    /// @inheritdoc ILedger
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        (address account_, address to, address asset, uint256 deadline) = _parties(params);
        _checkDeadline(deadline);
        (uint256 newAvailable, uint256 note) = (params.newAvailable, params.note);
        _checkNewAvailable(newAvailable);
        _checkPayee(account_, to);
        (uint256 payer, uint64 version, bool limited) = _payer(account_);
        if (limited) revert AccountIsLimited(account_);
        Slot storage available = _available(account_, asset);
        uint256 oldAvailable = _commitmentOf(available);
        bytes32 digest = _digest(StructHashes.transfer(params, oldAvailable, version));
        _checkWalletOrPaymentKey(payer, account_, digest, signature);
        Groth16.check(transferVerifier, proof, oldAvailable, newAvailable, note, uint256(digest) % fieldOrder);
        // Effects
        available.value = newAvailable;
        _openNote(to, asset, note);
        _emitTransferred(account_, to, asset, oldAvailable, params);
    }

    /// @inheritdoc ILedger
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature)
        external
        nonReentrant
    {
        // Checks
        (address account_, address to, address asset, uint256 deadline) = _parties(params);
        _checkDeadline(deadline);
        (uint256 newAvailable, uint256 amount, bytes32 paymentId) = (params.newAvailable, _amountOf(params), params.paymentId);
        _checkNewAvailable(newAvailable);
        uint256 tokenAmount = _checkRelease(to, asset, amount);
        (uint256 payer, uint64 version, bool limited) = _payer(account_);
        if (limited) revert AccountIsLimited(account_);
        Slot storage available = _available(account_, asset);
        uint256 oldAvailable = _commitmentOf(available);
        bytes32 digest = _digest(StructHashes.release(params, oldAvailable, version));
        _checkWalletOrPaymentKey(payer, account_, digest, signature);
        Groth16.check(releaseVerifier, proof, oldAvailable, newAvailable, amount, uint256(digest) % fieldOrder);
        // Effects
        _usePaymentId(account_, paymentId);
        available.value = newAvailable;
        _emitReleased(account_, to, asset, oldAvailable, params);
        // Interactions
        _pay(to, asset, tokenAmount);
    }

    /// @inheritdoc ILedger
    function transferMany(TransferManyParams calldata params, Proof calldata proof, bytes calldata signature)
        external
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewAvailable(params.newAvailable);
        (address account_, address asset) = (params.account, params.asset);
        Payment[] calldata payments = params.payments;
        (uint256 payer, uint64 version, bool limited) = _payer(account_);
        Slot storage available = _available(account_, asset);
        uint256 oldAvailable = _commitmentOf(available);
        (uint256[19] memory signals, bytes32 paymentsHash) = _readPayments(account_, payments);
        bytes32 digest = _digest(StructHashes.transferMany(params, oldAvailable, paymentsHash, version));
        if (limited) _checkWallet(account_, _walletOf(account_), digest, signature);
        else _checkWalletOrPaymentKey(payer, account_, digest, signature);
        (signals[0], signals[1], signals[18]) = (oldAvailable, params.newAvailable, uint256(digest) % FIELD_ORDER);
        Groth16.check(payManyVerifier, proof, signals);
        // Effects (each note is opened before the next is looked at: a batch holds none twice)
        available.value = params.newAvailable;
        emit BatchTransferred(account_, asset, oldAvailable, params.newAvailable, params.payerCiphertext);
        for (uint256 i = 0; i < payments.length; ++i) {
            Payment calldata payment = payments[i];
            (address to, uint256 note) = (payment.to, payment.note);
            _openNote(to, asset, note);
            emit Paid(account_, to, asset, note, payment.recipientCiphertext);
        }
    }

    /// @inheritdoc ILedger
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewAvailable(params.fromNewAvailable);
        _checkNewAvailable(params.toNewAvailable);
        (address from, address to, address asset,) = _parties(params);
        if (from == to) revert PaymentToSelf(from);
        address owner = _ownerOfPair(from, to, params.fromAgent);
        (Slot storage fromAvailable, Slot storage toAvailable) = (_available(from, asset), _available(to, asset));
        (uint256 fromOldAvailable, uint256 toOldAvailable) = (_commitmentOf(fromAvailable), _commitmentOf(toAvailable));
        bytes32 digest = _digest(StructHashes.fund(params, fromOldAvailable, toOldAvailable));
        _checkOwner(owner, digest, signature);
        Groth16.check(fundVerifier, proof, params, fromOldAvailable, toOldAvailable, uint256(digest) % fieldOrder);
        // Effects
        _usePaymentId(owner, params.paymentId);
        (fromAvailable.value, toAvailable.value) = (params.fromNewAvailable, params.toNewAvailable);
        _emitFunded(from, to, asset, fromOldAvailable, toOldAvailable, params);
    }

    function _emitTransferred(
        address account_,
        address to,
        address asset,
        uint256 oldAvailable,
        TransferParams calldata params
    ) private {
        uint256 start;
        assembly ("memory-safe") {
            start := add(params, 0x80)
        }
        // newAvailable, note, recipientCiphertext, payerCiphertext
        _emitPaid(Transferred.selector, account_, to, asset, oldAvailable, start, 0x140);
    }

    function _emitReleased(
        address account_,
        address to,
        address asset,
        uint256 oldAvailable,
        ReleaseParams calldata params
    ) private {
        uint256 start;
        assembly ("memory-safe") {
            start := add(params, 0x80)
        }
        // newAvailable, amount, paymentId, payerCiphertext
        _emitPaid(Released.selector, account_, to, asset, oldAvailable, start, 0xe0);
    }

    function _emitFunded(
        address from,
        address to,
        address asset,
        uint256 fromOldAvailable,
        uint256 toOldAvailable,
        FundParams calldata params
    ) private {
        bytes32 selector = Funded.selector;
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, asset)
            mstore(add(pointer, 0x20), fromOldAvailable)
            mstore(add(pointer, 0x40), calldataload(add(params, 0x80))) // fromNewAvailable
            mstore(add(pointer, 0x60), toOldAvailable)
            calldatacopy(add(pointer, 0x80), add(params, 0xa0), 0x140) // toNewAvailable, paymentId, the two ciphertexts
            log3(pointer, 0x1c0, selector, from, to)
        }
    }

    /// The amount, refused as the compiler refuses it when it is wider than 64 bits.
    function _amountOf(ReleaseParams calldata params) private pure returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := calldataload(add(params, 0xa0))
            if shr(64, amount) {
                revert(0x00, 0x00)
            }
        }
    }

    function _parties(TransferParams calldata params) private pure returns (address, address, address, uint256) {
        uint256 start;
        assembly ("memory-safe") {
            start := params
        }
        return _leading(start);
    }

    function _parties(ReleaseParams calldata params) private pure returns (address, address, address, uint256) {
        uint256 start;
        assembly ("memory-safe") {
            start := params
        }
        return _leading(start);
    }

    function _parties(FundParams calldata params) private pure returns (address, address, address, uint256) {
        uint256 start;
        assembly ("memory-safe") {
            start := params
        }
        return _leading(start);
    }

    /// The three addresses that parameters begin with, refused all at once when one is wider than an address, and the
    /// word after them.
    function _leading(uint256 start)
        private
        pure
        returns (address first, address second, address third, uint256 fourth)
    {
        assembly ("memory-safe") {
            fourth := calldataload(add(start, 0x60))
            first := calldataload(start)
            second := calldataload(add(start, 0x20))
            third := calldataload(add(start, 0x40))
            if shr(160, or(or(first, second), third)) {
                revert(0x00, 0x00)
            }
        }
    }

    /// Checks how many payments there are and who gets them.
    /// @return signals the notes in their places; EMPTY_NOTE where there is no payment
    /// @return paymentsHash of the list in the signed struct
    function _readPayments(address account_, Payment[] calldata payments)
        private
        view
        returns (uint256[19] memory signals, bytes32 paymentsHash)
    {
        uint256 count = payments.length;
        if (count < 2 || count > MOST_PAYMENTS) revert InvalidCount(count);
        bytes32[] memory hashes = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            Payment calldata payment = payments[i];
            (address to, uint256 note) = (payment.to, payment.note);
            _checkPayee(account_, to);
            signals[i + 2] = note;
            hashes[i] = StructHashes.payment(payment);
        }
        for (uint256 i = count; i < MOST_PAYMENTS; ++i) {
            signals[i + 2] = EMPTY_NOTE;
        }
        paymentsHash = StructHashes.list(hashes);
    }
}
