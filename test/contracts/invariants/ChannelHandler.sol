// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IVoucherChannels} from "../../../contracts/interfaces/IVoucherChannels.sol";
import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {vm} from "./Vm.sol";

/// @title What the fuzz may do with channels: every call, with sound arguments, by those who may, in any order
/// @dev Keeps its own books from balances and credits. A call that must fail is tried too; if one comes through,
///      `breach` states which.
contract ChannelHandler {
    struct Book {
        uint256 paidIn;
        uint256 claimed;
        uint256 refunded;
        bool noticed;
        bool closed;
        uint256 noticedAt;
    }

    uint256 private constant PAYER_KEY = 0xc1;
    uint256 private constant RECEIVERS = 3;
    uint256 private constant DELAY = 15 minutes;

    IVoucherChannels public immutable channels;
    WaywardToken public immutable token;
    address private immutable _payer = vm.addr(PAYER_KEY);

    IVoucherChannels.ChannelConfig[] private _configs;
    Book[] private _books;

    uint256 public donated;
    string public breach;
    uint256 public claims;
    uint256 public batches;
    uint256 public closings;
    uint256 public withdrawals;
    uint256 public credited;

    constructor(IVoucherChannels channels_, WaywardToken token_) {
        (channels, token) = (channels_, token_);
        token.mint(_payer, type(uint128).max);
        vm.prank(_payer);
        token.approve(address(channels), type(uint256).max);
    }

    function open(uint96 amount, bool signed) public {
        IVoucherChannels.ChannelConfig memory config = IVoucherChannels.ChannelConfig({
            payer: _payer,
            payerAuthorizer: address(0),
            receiver: vm.addr(_receiverKey(_configs.length)),
            receiverAuthorizer: address(0),
            token: address(token),
            withdrawDelay: uint40(DELAY),
            salt: bytes32(_configs.length)
        });
        uint128 deposit = uint128(amount) % 1e12 + 1;
        if (signed) {
            channels.openWithAuthorization(config, deposit, 0, type(uint256).max, "");
        } else {
            vm.prank(_payer);
            channels.open(config, deposit);
        }
        _configs.push(config);
        _books.push();
        _books[_books.length - 1].paidIn = deposit;
    }

    function topUp(uint256 which, uint96 amount, bool signed) public {
        uint256 c = _openOne(which);
        uint128 more = uint128(amount) % 1e9 + 1;
        if (signed) {
            channels.topUpWithAuthorization(_configs[c], more, bytes32(which), 0, type(uint256).max, "");
        } else {
            vm.prank(_payer);
            channels.topUp(_configs[c], more);
            _books[c].noticed = false;
        }
        _books[c].paidIn += more;
    }

    function claim(uint256 which, uint256 part, bool half) public {
        uint256 c = _openOne(which);
        Book storage book = _books[c];
        if (book.claimed == book.paidIn) return;
        uint128 total = uint128(book.claimed + 1 + part % (book.paidIn - book.claimed));
        uint128 max = half ? total : total + uint128(part % 7);
        IVoucherChannels.VoucherClaim memory one = _claimOf(c, total, max);
        uint256 before = _holdings(c);
        vm.prank(_configs[c].receiver);
        channels.claim(one);
        if (_holdings(c) - before != total - book.claimed) breach = "a claim paid another difference";
        book.claimed = total;
        ++claims;
        vm.prank(_configs[c].receiver);
        try channels.claim(one) {
            breach = "a claim was paid twice";
        } catch {}
    }

    /// @notice A batch over the receiver's newest channels, some of them closed, drained or badly signed.
    function claimMany(uint256 seed, uint8 count, bool signed) public {
        open(1e6, false);
        uint256 last = _configs.length - 1;
        uint256 size = count % 4 + 1;
        IVoucherChannels.BatchedClaim[] memory batch = new IVoucherChannels.BatchedClaim[](size);
        uint256 expected;
        uint256 done;
        for (uint256 i = 0; i < size; ++i) {
            // Channels of one receiver come every RECEIVERS-th.
            uint256 c = last >= i * RECEIVERS ? last - i * RECEIVERS : last;
            Book storage book = _books[c];
            uint128 total = uint128(book.claimed + 1 + uint256(keccak256(abi.encode(seed, i))) % 1e6);
            batch[i] = _batched(c, total);
            if (!book.closed && total <= book.paidIn && total > book.claimed) {
                expected += total - book.claimed;
                book.claimed = total;
                done |= 1 << i;
            }
        }
        IVoucherChannels.Payee memory payee =
            IVoucherChannels.Payee(_configs[last].receiver, address(0), address(token));
        uint256 before = channels.credit(address(token), payee.receiver);
        uint256 got;
        if (signed) {
            bytes memory signature = _sign(_receiverKey(last), _batchHash(last, batch));
            got = channels.claimManyWithSignature(payee, batch, signature);
        } else {
            vm.prank(payee.receiver);
            got = channels.claimMany(payee, batch);
        }
        if (got != done) breach = "a batch did another set of claims";
        if (channels.credit(address(token), payee.receiver) - before != expected) breach = "a batch credited another sum";
        ++batches;
    }

    function close(uint256 which, uint256 part, bool together) public {
        uint256 c = _openOne(which);
        Book storage book = _books[c];
        uint128 total = uint128(book.claimed + part % (book.paidIn - book.claimed + 1));
        uint256 before = _holdings(c);
        uint256 payerBefore = _payerHoldings();
        if (together) {
            bytes32 structHash = keccak256(
                abi.encode(
                    keccak256("Close(bytes32 channelId,uint128 totalClaimed,uint40 validBefore)"),
                    channels.channelId(_configs[c]),
                    total,
                    type(uint40).max
                )
            );
            channels.closeWithSignatures(
                _configs[c],
                total,
                type(uint40).max,
                _sign(PAYER_KEY, structHash),
                _sign(_receiverKey(c), structHash)
            );
        } else {
            bytes memory voucher = _voucher(c, total);
            vm.prank(_configs[c].receiver);
            channels.close(_configs[c], total, voucher);
        }
        if (_holdings(c) - before != total - book.claimed) breach = "a close paid the receiver another sum";
        book.claimed = total;
        book.refunded = _payerHoldings() - payerBefore;
        book.closed = true;
        ++closings;
    }

    function requestClose(uint256 which) public {
        uint256 c = _openOne(which);
        if (_books[c].noticed) return;
        vm.prank(_payer);
        channels.requestClose(_configs[c]);
        (_books[c].noticed, _books[c].noticedAt) = (true, block.timestamp);
    }

    function withdraw(uint256 which) public {
        uint256 c = _openOne(which);
        if (!_books[c].noticed) requestClose(c);
        if (block.timestamp < _books[c].noticedAt + DELAY) {
            try channels.withdraw(_configs[c]) {
                breach = "withdrawn before the delay";
            } catch {}
            return;
        }
        _withdraw(c);
    }

    /// @notice Waits the delay out, so that no run goes by without a withdrawal.
    function waitAndWithdraw(uint256 which) public {
        uint256 c = _openOne(which);
        if (!_books[c].noticed) requestClose(c);
        vm.warp(block.timestamp + DELAY);
        _withdraw(c);
    }

    /// @notice Closed and unopened channels are asked for what they must not give.
    function overreach(uint256 which, uint96 amount) public {
        IVoucherChannels.ChannelConfig memory never;
        (never.payer, never.receiver, never.token) = (_payer, vm.addr(_receiverKey(0)), address(token));
        (never.salt, never.withdrawDelay) = (keccak256("never"), uint40(DELAY));
        try channels.withdraw(never) {
            breach = "a channel that was never opened was withdrawn";
        } catch {}
        if (_configs.length == 0) return;
        uint256 c = which % _configs.length;
        try channels.openWithAuthorization(_configs[c], uint128(amount) + 1, 0, type(uint256).max, "") {
            breach = "a channel was opened twice";
        } catch {}
        if (!_books[c].closed) return;
        IVoucherChannels.VoucherClaim memory one = _claimOf(c, uint128(_books[c].claimed + 1), type(uint128).max);
        vm.prank(_configs[c].receiver);
        try channels.claim(one) {
            breach = "a closed channel paid";
        } catch {}
    }

    function takeCredit(uint256 who, bool sent) public {
        address account = who % 4 == 3 ? _payer : vm.addr(_receiverKey(who % 4));
        if (channels.credit(address(token), account) == 0) return;
        if (token.answerTo(account) != WaywardToken.Answer.True) return;
        if (!sent) vm.prank(account);
        sent ? channels.sendCredit(address(token), account) : channels.withdrawCredit(address(token), account);
    }

    function block_(uint256 who, bool refuse) public {
        address account = who % 4 == 3 ? _payer : vm.addr(_receiverKey(who % 4));
        token.setAnswer(account, refuse ? WaywardToken.Answer.Revert : WaywardToken.Answer.True);
    }

    function donate(uint64 amount) public {
        token.mint(address(channels), amount);
        donated += amount;
    }

    function pass(uint16 time) public {
        vm.warp(block.timestamp + time);
    }

    function channelCount() external view returns (uint256) {
        return _configs.length;
    }

    function bookOf(uint256 c) external view returns (Book memory) {
        return _books[c];
    }

    function idOf(uint256 c) external view returns (bytes32) {
        return channels.channelId(_configs[c]);
    }

    /// @notice Every credit there can be.
    function credits() public view returns (uint256 sum) {
        sum = channels.credit(address(token), _payer);
        for (uint256 i = 0; i < RECEIVERS; ++i) sum += channels.credit(address(token), vm.addr(_receiverKey(i)));
    }

    function _withdraw(uint256 c) private {
        uint256 before = _payerHoldings();
        channels.withdraw(_configs[c]);
        _books[c].refunded = _payerHoldings() - before;
        _books[c].closed = true;
        ++withdrawals;
        if (credits() != 0) ++credited;
    }

    /// @dev An open channel, opened again where the one that was picked is closed.
    function _openOne(uint256 which) private returns (uint256 c) {
        if (_configs.length != 0 && !_books[which % _configs.length].closed) return which % _configs.length;
        open(uint96(which), which % 2 == 0);
        return _configs.length - 1;
    }

    function _receiverKey(uint256 c) private pure returns (uint256) {
        return 0xe0 + c % RECEIVERS;
    }

    function _holdings(uint256 c) private view returns (uint256) {
        address receiver = _configs[c].receiver;
        return token.balanceOf(receiver) + channels.credit(address(token), receiver);
    }

    function _payerHoldings() private view returns (uint256) {
        return token.balanceOf(_payer) + channels.credit(address(token), _payer);
    }

    function _claimOf(uint256 c, uint128 total, uint128 max)
        private
        view
        returns (IVoucherChannels.VoucherClaim memory)
    {
        return IVoucherChannels.VoucherClaim(IVoucherChannels.Voucher(_configs[c], max), _voucher(c, max), total);
    }

    function _batched(uint256 c, uint128 total) private view returns (IVoucherChannels.BatchedClaim memory) {
        return IVoucherChannels.BatchedClaim(
            _payer, address(0), uint40(DELAY), _configs[c].salt, total, total, _voucher(c, total)
        );
    }

    function _voucher(uint256 c, uint128 max) private view returns (bytes memory) {
        bytes32 typehash = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
        return _sign(PAYER_KEY, keccak256(abi.encode(typehash, channels.channelId(_configs[c]), max)));
    }

    function _batchHash(uint256 last, IVoucherChannels.BatchedClaim[] memory batch) private view returns (bytes32) {
        string memory entry = "ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)";
        bytes32[] memory entries = new bytes32[](batch.length);
        for (uint256 i = 0; i < batch.length; ++i) {
            IVoucherChannels.ChannelConfig memory config = _configs[last];
            config.salt = batch[i].salt;
            entries[i] = keccak256(
                abi.encode(
                    keccak256(bytes(entry)),
                    channels.channelId(config),
                    batch[i].maxClaimableAmount,
                    batch[i].totalClaimed
                )
            );
        }
        bytes32 typehash = keccak256(abi.encodePacked("ClaimBatch(ClaimEntry[] claims)", entry));
        return keccak256(abi.encode(typehash, keccak256(abi.encodePacked(entries))));
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Parley VoucherChannels"),
                keccak256("1"),
                block.chainid,
                address(channels)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
