// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_BUDGET, EMPTY_NOTE, FIELD_ORDER} from "./Constants.sol";
import {Deposits} from "./Deposits.sol";
import {Groth16} from "./Groth16.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";
import {IAllocateVerifier, IFundVerifier, IReleaseVerifier, ITransferVerifier} from "./interfaces/IVerifiers.sol";

/// @title Ledger
/// @notice Budgets and notes. No upgrade, no pause, no key that moves money. See {ILedger}.
/// @dev Checks, effects, interactions. The verifiers are pure functions of their calldata, called with STATICCALL, so a
/// proof counts as a check.
contract Ledger is Deposits {
    ITransferVerifier public immutable transferVerifier;
    IReleaseVerifier public immutable releaseVerifier;
    IFundVerifier public immutable fundVerifier;
    IAllocateVerifier public immutable allocateVerifier;

    // A note's status fills its slot: packed, it would be read once more to be written.
    uint256 private constant NONE = uint256(NoteStatus.None);
    uint256 private constant OPEN = uint256(NoteStatus.Open);
    uint256 private constant SPENT = uint256(NoteStatus.Spent);

    mapping(address who => mapping(address asset => uint256 word)) private budgets;
    mapping(address who => mapping(address asset => mapping(uint256 note => uint256 status))) private notes;

    constructor(
        address owner,
        ITransferVerifier transferVerifier_,
        IReleaseVerifier releaseVerifier_,
        IFundVerifier fundVerifier_,
        IAllocateVerifier allocateVerifier_
    ) Deposits(owner) {
        _checkHasCode(address(transferVerifier_));
        _checkHasCode(address(releaseVerifier_));
        _checkHasCode(address(fundVerifier_));
        _checkHasCode(address(allocateVerifier_));
        transferVerifier = transferVerifier_;
        releaseVerifier = releaseVerifier_;
        fundVerifier = fundVerifier_;
        allocateVerifier = allocateVerifier_;
    }

    /// @inheritdoc ILedger
    function allocate(AllocateParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        (uint64 nonce, address wallet) = _nonceAndWallet(params.account);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        bytes32 digest = _digest(StructHashes.allocate(params, oldBudget, nonce));
        address signer = _signer(digest, signature);
        if (signer != wallet) revert NotAuthorized(params.account, signer);
        _checkAllocateProof(params, proof, oldBudget, digest);
        // Effects (each note is spent before the next is looked at: one note never counts twice)
        _useNonce(params.account, nonce);
        _useCredit(params.account, params.asset, params.credit);
        for (uint256 i = 0; i < 8; ++i) {
            if (params.notes[i] != EMPTY_NOTE) _spendNote(params.account, params.asset, params.notes[i]);
        }
        if (params.changeNote != EMPTY_NOTE) _openNote(params.account, params.asset, params.changeNote);
        budgets[params.account][params.asset] = params.newBudget;
        emit Allocated(
            params.account,
            params.asset,
            oldBudget,
            params.newBudget,
            params.notes,
            params.credit,
            params.changeNote,
            params.ciphertext
        );
    }

    /// @inheritdoc ILedger
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        if (params.to == params.account) revert PaymentToSelf(params.account);
        _checkEnrolled(params.to);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        bytes32 digest = _digest(StructHashes.transfer(params, oldBudget));
        _checkMayPay(params.account, _signer(digest, signature));
        uint256[4] memory signals = [oldBudget, params.newBudget, params.note, uint256(digest) % FIELD_ORDER];
        Groth16.check(transferVerifier, proof, signals);
        // Effects
        budgets[params.account][params.asset] = params.newBudget;
        _openNote(params.to, params.asset, params.note);
        emit Transferred(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.note,
            params.recipientCiphertext,
            params.payerCiphertext
        );
    }

    /// @inheritdoc ILedger
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature)
        external
        nonReentrant
    {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.newBudget);
        if (params.to == address(this) || params.to == address(0)) revert InvalidRecipient(params.to);
        if (params.amount == 0) revert ZeroAmount();
        uint256 tokenAmount = params.amount * _unitOf(params.asset);
        uint256 oldBudget = budgetOf(params.account, params.asset);
        bytes32 digest = _digest(StructHashes.release(params, oldBudget));
        _checkMayPay(params.account, _signer(digest, signature));
        uint256[4] memory signals = [oldBudget, params.newBudget, params.amount, uint256(digest) % FIELD_ORDER];
        Groth16.check(releaseVerifier, proof, signals);
        // Effects
        budgets[params.account][params.asset] = params.newBudget;
        emit Released(
            params.account,
            params.to,
            params.asset,
            oldBudget,
            params.newBudget,
            params.amount,
            params.payerCiphertext
        );
        // Interactions
        _pay(params.to, params.asset, tokenAmount);
    }

    /// @inheritdoc ILedger
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        _checkNewBudget(params.fromNewBudget);
        _checkNewBudget(params.toNewBudget);
        if (params.from == params.to) revert PaymentToSelf(params.from);
        uint256 fromOldBudget = budgetOf(params.from, params.asset);
        uint256 toOldBudget = budgetOf(params.to, params.asset);
        bytes32 digest = _digest(StructHashes.fund(params, fromOldBudget, toOldBudget));
        _checkMayFund(params.from, params.to, _signer(digest, signature));
        uint256[5] memory signals = [
            fromOldBudget, params.fromNewBudget, toOldBudget, params.toNewBudget, uint256(digest) % FIELD_ORDER
        ];
        Groth16.check(fundVerifier, proof, signals);
        // Effects
        budgets[params.from][params.asset] = params.fromNewBudget;
        budgets[params.to][params.asset] = params.toNewBudget;
        emit Funded(
            params.from,
            params.to,
            params.asset,
            fromOldBudget,
            params.fromNewBudget,
            toOldBudget,
            params.toNewBudget,
            params.fromCiphertext,
            params.toCiphertext
        );
    }

    /// @inheritdoc ILedger
    function abandon(address account_, address asset, uint64 deadline, bytes calldata signature) external {
        // Checks
        _checkDeadline(deadline);
        (uint64 nonce, address wallet) = _nonceAndWallet(account_);
        uint256 oldBudget = budgets[account_][asset];
        if (oldBudget == 0) revert NothingToAbandon(account_, asset);
        address signer = _signer(_digest(StructHashes.abandon(account_, asset, oldBudget, nonce, deadline)), signature);
        if (signer != wallet) revert NotAuthorized(account_, signer);
        // Effects
        _useNonce(account_, nonce);
        delete budgets[account_][asset];
        emit Abandoned(account_, asset, oldBudget);
    }

    /// @inheritdoc ILedger
    function budgetOf(address who, address asset) public view returns (uint256 word) {
        word = budgets[who][asset];
        if (word == 0) word = EMPTY_BUDGET;
    }

    /// @inheritdoc ILedger
    function noteStatus(address who, address asset, uint256 note) external view returns (NoteStatus) {
        return NoteStatus(notes[who][asset][note]);
    }

    function _checkAllocateProof(
        AllocateParams calldata params,
        Proof calldata proof,
        uint256 oldBudget,
        bytes32 digest
    ) private view {
        uint256[13] memory signals;
        for (uint256 i = 0; i < 8; ++i) {
            signals[i] = params.notes[i];
        }
        signals[8] = params.credit;
        signals[9] = oldBudget;
        signals[10] = params.newBudget;
        signals[11] = params.changeNote;
        signals[12] = uint256(digest) % FIELD_ORDER;
        Groth16.check(allocateVerifier, proof, signals);
    }

    function _checkHasCode(address verifier) private view {
        if (verifier.code.length == 0) revert VerifierWithoutCode(verifier);
    }

    /// A budget word that may be stored. The empty budget's opening is public, so no account may get it.
    function _checkNewBudget(uint256 word) private pure {
        if (word == 0 || word == EMPTY_BUDGET || word >= FIELD_ORDER) revert InvalidBudget(word);
    }

    /// Only words below the field's order are ever stored, so an open note is one.
    function _spendNote(address who, address asset, uint256 note) private {
        mapping(uint256 => uint256) storage status = notes[who][asset];
        if (status[note] != OPEN) revert NoteNotOpen(who, asset, note);
        status[note] = SPENT;
    }

    function _openNote(address who, address asset, uint256 note) private {
        if (note == 0 || note == EMPTY_NOTE || note >= FIELD_ORDER) revert InvalidNote(note);
        mapping(uint256 => uint256) storage status = notes[who][asset];
        if (status[note] != NONE) revert NoteNotNew(who, asset, note);
        status[note] = OPEN;
    }
}
