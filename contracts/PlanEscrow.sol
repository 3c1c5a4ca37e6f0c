// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPlanEscrow} from "./interfaces/IPlanEscrow.sol";
import {IReceiveWithAuthorization} from "./interfaces/IReceiveWithAuthorization.sol";
import {PlanSlot, PlanSlots} from "./libraries/PlanSlot.sol";
import {Signatures} from "./libraries/Signatures.sol";

/// @title PlanEscrow
/// @notice See {IPlanEscrow}. Immutable: no owner, no pause, no upgrade, no sweep, no ether.
/// @dev Terms travel in calldata and are named by their hash; storage holds one word per plan and one hash per charter.
///      No total of all plans is kept and no balance is ever read to decide a payment: what a plan may pay is its own
///      `remaining`, which only {fund} and {fundWithAuthorization} raise.
contract PlanEscrow is IPlanEscrow, EIP712, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint256 private constant MAX_TOKENS = 4;
    uint256 private constant MAX_STEPS = 64;
    uint256 private constant MAX_FEE_BPS = 1000;
    uint256 private constant BPS = 10_000;

    bytes32 private constant TERMS_TYPEHASH = keccak256(
        "Terms(address client,address token,uint96 total,uint40 workBy,uint40 expiry,uint16 feeBps,address feeTo,address evaluator,bytes32 briefHash,uint256 salt)"
    );
    bytes32 private constant CHARTER_TYPEHASH =
        keccak256("Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 charterHash)");
    bytes32 private constant ATTESTATION_TYPEHASH =
        keccak256("Attestation(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash)");

    address private immutable _token0;
    address private immutable _token1;
    address private immutable _token2;
    address private immutable _token3;

    mapping(bytes32 id => PlanSlot) private _plans;
    /// @inheritdoc IPlanEscrow
    mapping(bytes32 id => bytes32) public charter;
    /// @inheritdoc IPlanEscrow
    mapping(address token => mapping(address account => uint256)) public credit;

    /// @param tokens one to four of them; their list can never change
    constructor(address[] memory tokens) EIP712("Parley PlanEscrow", "1") {
        if (tokens.length == 0 || tokens.length > MAX_TOKENS) revert BadTokenCount(tokens.length, MAX_TOKENS);
        for (uint256 i = 0; i < tokens.length; ++i) {
            if (tokens[i].code.length == 0) revert TokenWithoutCode(tokens[i]);
        }
        _token0 = tokens[0];
        _token1 = tokens.length > 1 ? tokens[1] : address(0);
        _token2 = tokens.length > 2 ? tokens[2] : address(0);
        _token3 = tokens.length > 3 ? tokens[3] : address(0);
    }

    /// @inheritdoc IPlanEscrow
    function fund(Terms calldata terms) external nonReentrant {
        if (msg.sender != terms.client) revert NotClient(msg.sender, terms.client);
        _open(terms);

        // interaction
        IERC20 token = IERC20(terms.token);
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(terms.client, address(this), terms.total);
        _requireReceived(token, before, terms.total);
    }

    /// @inheritdoc IPlanEscrow
    function fundWithAuthorization(
        Terms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 id = _open(terms);

        // interaction
        IERC20 token = IERC20(terms.token);
        uint256 before = token.balanceOf(address(this));
        IReceiveWithAuthorization(terms.token).receiveWithAuthorization(
            terms.client, address(this), terms.total, validAfter, validBefore, id, signature
        );
        _requireReceived(token, before, terms.total);
    }

    /// @inheritdoc IPlanEscrow
    function seal(
        Terms calldata terms,
        uint24 version,
        Step[] calldata steps,
        bytes32 charterHash,
        bytes calldata evaluatorSignature
    ) external nonReentrant {
        // state
        bytes32 id = planId(terms);
        PlanSlot slot = _funded(id);
        if (block.timestamp >= terms.expiry) revert TooLate(block.timestamp, terms.expiry);
        if (version <= slot.version()) revert StaleVersion(version, slot.version());
        if (slot.codes() != 0) revert StepsAlreadyPaid(slot.paidBits());

        // input
        _requireSteps(terms, steps);
        bytes32 stepsHash = _hashSteps(steps);
        bytes32 digest =
            _hashTypedDataV4(keccak256(abi.encode(CHARTER_TYPEHASH, id, version, stepsHash, charterHash)));
        if (!Signatures.isSignedBy(terms.evaluator, digest, evaluatorSignature)) revert BadSignature(terms.evaluator);

        // effect
        _plans[id] = slot.withVersion(version);
        charter[id] = _bind(stepsHash, charterHash);
        emit PlanSealed(id, version, stepsHash, charterHash);
    }

    /// @inheritdoc IPlanEscrow
    function settle(
        Terms calldata terms,
        Step[] calldata steps,
        bytes32 charterHash,
        uint64 bits,
        bool close,
        bytes32 conclusionHash,
        bytes calldata evaluatorSignature
    ) external nonReentrant {
        bytes32 id = planId(terms);
        PlanSlot slot = _settleable(id, steps, charterHash, bits, close);
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(ATTESTATION_TYPEHASH, id, slot.version(), bits, close, conclusionHash))
        );
        if (!Signatures.isSignedBy(terms.evaluator, digest, evaluatorSignature)) revert BadSignature(terms.evaluator);

        _settle(id, slot, terms, steps, bits, close, conclusionHash);
    }

    /// @inheritdoc IPlanEscrow
    function release(
        Terms calldata terms,
        Step[] calldata steps,
        bytes32 charterHash,
        uint64 bits,
        bool close,
        bytes32 conclusionHash
    ) external nonReentrant {
        if (msg.sender != terms.client) revert NotClient(msg.sender, terms.client);
        bytes32 id = planId(terms);
        PlanSlot slot = _settleable(id, steps, charterHash, bits, close);
        if (close) {
            // A shift by 64 leaves no place outside a full charter.
            uint64 owed = slot.pendingBits() & ~bits & uint64((uint256(1) << steps.length) - 1);
            if (owed != 0) revert StepsOwed(owed);
        }

        _settle(id, slot, terms, steps, bits, close, conclusionHash);
    }

    /// @inheritdoc IPlanEscrow
    function refund(Terms calldata terms) external nonReentrant {
        bytes32 id = planId(terms);
        PlanSlot slot = _funded(id);
        if (block.timestamp < terms.expiry) revert TooEarly(block.timestamp, terms.expiry);

        // effect, then interaction
        uint256 rest = slot.remaining();
        _plans[id] = _closed(slot);
        emit PlanClosed(id);
        _giveBack(id, terms, rest);
    }

    /// @inheritdoc IPlanEscrow
    function withdrawCredit(address token, address to) external nonReentrant {
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        uint256 amount = credit[token][msg.sender];
        if (amount == 0) revert NothingToWithdraw(token, msg.sender);

        // effect, then interaction
        credit[token][msg.sender] = 0;
        emit CreditWithdrawn(token, msg.sender, to, amount);
        IERC20(token).safeTransfer(to, amount);
    }

    /// @inheritdoc IPlanEscrow
    function plan(bytes32 id)
        external
        view
        returns (PlanStatus status, uint96 remaining, uint128 codes, uint24 version)
    {
        PlanSlot slot = _plans[id];
        return (PlanStatus(slot.status()), slot.remaining(), slot.codes(), slot.version());
    }

    /// @inheritdoc IPlanEscrow
    function isTokenAllowed(address token) public view returns (bool) {
        return token != address(0) && (token == _token0 || token == _token1 || token == _token2 || token == _token3);
    }

    /// @inheritdoc IPlanEscrow
    /// @dev Hashes the ten words as they stand. A word with dirty high bits gives an id that nobody signed, and is
    ///      refused wherever its field is read.
    function planId(Terms calldata terms) public view returns (bytes32) {
        bytes32 typehash = TERMS_TYPEHASH;
        bytes32 structHash;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, typehash)
            calldatacopy(add(start, 0x20), terms, 0x140)
            structHash := keccak256(start, 0x160)
        }
        return _hashTypedDataV4(structHash);
    }

    /// @dev Checks the terms and writes the plan as funded; the money follows in the same call or all of it reverts.
    function _open(Terms calldata terms) private returns (bytes32 id) {
        // input
        if (terms.client == address(0)) revert MissingClient();
        if (!isTokenAllowed(terms.token)) revert TokenNotAllowed(terms.token);
        if (terms.total == 0) revert EmptyTotal();
        if (terms.evaluator == address(0)) revert MissingEvaluator();
        if (block.timestamp >= terms.workBy || terms.workBy > terms.expiry) {
            revert BadDeadlines(block.timestamp, terms.workBy, terms.expiry);
        }
        if (terms.feeBps > MAX_FEE_BPS) revert FeeTooHigh(terms.feeBps, MAX_FEE_BPS);
        if (terms.feeBps != 0 && (terms.feeTo == address(0) || terms.feeTo == address(this))) revert MissingFeeTo();

        // state
        id = planId(terms);
        if (_plans[id].status() != uint8(PlanStatus.None)) revert AlreadyFunded(id);

        // effect
        _plans[id] = PlanSlot.wrap(0).withStatus(uint8(PlanStatus.Funded)).withRemaining(terms.total);
        emit PlanFunded(id, terms.client, terms.token, terms.total, terms.briefHash);
    }

    /// @dev Marks and pays the steps in `bits`, takes the fee, and with `close` gives the rest back.
    function _settle(
        bytes32 id,
        PlanSlot slot,
        Terms calldata terms,
        Step[] calldata steps,
        uint64 bits,
        bool close,
        bytes32 conclusionHash
    ) private {
        (uint256 paid, uint256 fee) = _price(slot, steps, bits, terms.feeBps);

        // effect; checked arithmetic keeps a plan from ever paying more than it holds
        uint256 rest = uint256(slot.remaining()) - paid - fee;
        slot = slot.withPaid(bits);
        _plans[id] = close ? _closed(slot) : slot.withRemaining(uint96(rest));
        if (fee != 0) {
            credit[terms.token][terms.feeTo] += fee;
            emit FeeCredited(id, terms.token, terms.feeTo, fee);
        }
        emit StepsSettled(id, bits, conclusionHash);
        if (close) emit PlanClosed(id);

        // interaction
        _payRuns(id, terms.token, steps, bits, conclusionHash);
        if (close) _giveBack(id, terms, rest);
    }

    /// @dev One transfer per run of chosen steps with the same payee.
    function _payRuns(bytes32 id, address token, Step[] calldata steps, uint64 bits, bytes32 conclusionHash) private {
        unchecked {
            address payee;
            uint256 sum;
            for (uint256 i = 0; bits >> i != 0; ++i) {
                if ((bits >> i) & 1 == 0) continue;
                Step calldata step = steps[i];
                if (step.payee != payee) {
                    _pay(id, token, payee, sum, conclusionHash);
                    (payee, sum) = (step.payee, 0);
                }
                sum += step.amount;
            }
            _pay(id, token, payee, sum, conclusionHash);
        }
    }

    function _pay(bytes32 id, address token, address payee, uint256 amount, bytes32 conclusionHash) private {
        if (amount == 0) return;
        if (_push(id, token, payee, amount)) emit Paid(id, payee, amount, conclusionHash);
    }

    function _giveBack(bytes32 id, Terms calldata terms, uint256 amount) private {
        if (amount == 0) return;
        if (_push(id, terms.token, terms.client, amount)) emit Refunded(id, terms.client, amount);
    }

    /// @dev Sends, or credits when the token reverts or answers false. Copies at most one word of the answer.
    function _push(bytes32 id, address token, address to, uint256 amount) private returns (bool sent) {
        sent = IERC20(token).trySafeTransfer(to, amount);
        if (!sent) {
            credit[token][to] += amount;
            emit Credited(id, token, to, amount);
        }
    }

    function _funded(bytes32 id) private view returns (PlanSlot slot) {
        slot = _plans[id];
        uint8 status = slot.status();
        if (status == uint8(PlanStatus.None)) revert NotFunded(id);
        if (status == uint8(PlanStatus.Closed)) revert AlreadyClosed(id);
    }

    /// @dev The plan's slot, once it is sure that `steps` are the sealed ones and each chosen step is pending.
    function _settleable(bytes32 id, Step[] calldata steps, bytes32 charterHash, uint64 bits, bool close)
        private
        view
        returns (PlanSlot slot)
    {
        slot = _funded(id);
        if (bits == 0 && !close) revert NothingToSettle();
        if (slot.version() == 0) {
            if (bits != 0 || steps.length != 0) revert NotSealed(id);
            return slot;
        }
        bytes32 actual = _bind(_hashSteps(steps), charterHash);
        if (actual != charter[id]) revert CharterMismatch(actual, charter[id]);
        if (uint256(bits) >> steps.length != 0) revert StepOutOfRange(bits, steps.length);
        uint64 gone = bits & ~slot.pendingBits();
        if (gone != 0) revert StepNotPending(gone);
    }

    function _requireReceived(IERC20 token, uint256 before, uint256 expected) private view {
        uint256 received = token.balanceOf(address(this)) - before;
        if (received < expected) revert ReceivedLess(received, expected);
    }

    function _requireSteps(Terms calldata terms, Step[] calldata steps) private view {
        if (steps.length == 0 || steps.length > MAX_STEPS) revert BadStepCount(steps.length, MAX_STEPS);
        uint256 sum;
        for (uint256 i = 0; i < steps.length; ++i) {
            address payee = steps[i].payee;
            if (payee == address(0) || payee == address(this) || payee == terms.evaluator) revert BadPayee(i, payee);
            sum += steps[i].amount;
        }
        sum += _fee(sum, terms.feeBps);
        if (sum > terms.total) revert OverAllocated(sum, terms.total);
    }

    /// @dev What `bits` pays, and the fee by which the fee on everything paid so far grows.
    function _price(PlanSlot slot, Step[] calldata steps, uint64 bits, uint256 feeBps)
        private
        pure
        returns (uint256 paid, uint256 fee)
    {
        unchecked {
            paid = _sum(steps, bits);
            if (feeBps == 0) return (paid, 0);
            uint256 earlier = _sum(steps, slot.paidBits());
            fee = _fee(earlier + paid, feeBps) - _fee(earlier, feeBps);
        }
    }

    /// @dev Cannot overflow: at most 64 amounts of 96 bits.
    function _sum(Step[] calldata steps, uint64 bits) private pure returns (uint256 sum) {
        unchecked {
            for (uint256 i = 0; bits >> i != 0; ++i) {
                if ((bits >> i) & 1 == 1) sum += steps[i].amount;
            }
        }
    }

    function _closed(PlanSlot slot) private pure returns (PlanSlot) {
        return slot.withPendingRefunded().withRemaining(0).withStatus(uint8(PlanStatus.Closed));
    }

    function _fee(uint256 amount, uint256 feeBps) private pure returns (uint256) {
        return amount * feeBps / BPS;
    }

    function _bind(bytes32 stepsHash, bytes32 charterHash) private pure returns (bytes32) {
        return keccak256(abi.encode(stepsHash, charterHash));
    }

    /// @dev keccak256(abi.encode(steps)), without decoding each step: a Step is two whole words in calldata.
    ///      Words with dirty high bits hash differently from clean ones, and are refused where a step is read.
    function _hashSteps(Step[] calldata steps) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let start := mload(0x40)
            let size := shl(6, steps.length)
            mstore(start, 0x20)
            mstore(add(start, 0x20), steps.length)
            calldatacopy(add(start, 0x40), steps.offset, size)
            hash := keccak256(start, add(size, 0x40))
        }
    }
}
